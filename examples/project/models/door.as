// DC-7: open, close, and an obstacle that stops the door.
type Place = {Open, Closing, Closed};
var place: Place = Open;
input close, block, open;

action close when place = Open { place := Closing }
action block when place = Closing { place := Open }
action shut when place = Closing { place := Closed }
action open when place = Closed { place := Open }

do close [] block [] shut [] open od
