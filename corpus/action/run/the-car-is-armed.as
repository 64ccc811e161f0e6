// The car alarm system in the native notation; car_alarm.pl is the same model in the Prolog notation.
depth 30;

type Place = { OpenUnlocked, ClosedUnlocked, OpenLocked, ClosedLocked, Armed, Alarm, Flashing, Silent };
type Flag = 0..1;
type Seconds = 0..270;

var place: Place = OpenUnlocked;
var arming, disarming, lamps, horn, hush: Flag = 0;   // outputs that are still to come

input close, open, lock, unlock, after;

action close when arming = 0 and disarming = 0 and lamps = 0 and horn = 0 and hush = 0 {
  choose { when place = OpenUnlocked { place := ClosedUnlocked } }
  or { when place = OpenLocked { place := ClosedLocked } }
  or { when place = Silent { place := Armed; arming := 1 } }
}

action open when arming = 0 and disarming = 0 and lamps = 0 and horn = 0 and hush = 0 {
  choose { when place = ClosedUnlocked { place := OpenUnlocked } }
  or { when place = ClosedLocked { place := OpenLocked } }
  or { when place = Armed { place := Alarm; disarming := 1; lamps := 1; horn := 1 } }
}

action lock when arming = 0 and disarming = 0 and lamps = 0 and horn = 0 and hush = 0 {
  choose { when place = OpenUnlocked { place := OpenLocked } }
  or { when place = ClosedUnlocked { place := ClosedLocked } }
}

action unlock when arming = 0 and disarming = 0 and lamps = 0 and horn = 0 and hush = 0 {
  choose { when place = OpenLocked { place := OpenUnlocked } }
  or { when place = ClosedLocked { place := ClosedUnlocked } }
  or { when place = Armed { place := ClosedUnlocked; disarming := 1 } }
  or { when place = Alarm { place := OpenUnlocked; lamps := 1; horn := 1 } }
  or { when place = Flashing { place := OpenUnlocked; lamps := 1; horn := 1 } }
  or { when place = Silent { place := OpenUnlocked } }
}

action after(seconds) when arming = 0 and disarming = 0 and lamps = 0 and horn = 0 and hush = 0 {
  choose { when place = ClosedLocked and seconds = 20 { place := Armed; arming := 1 } }
  or { when place = Alarm and seconds = 30 { place := Flashing; hush := 1 } }
  or { when place = Flashing and seconds = 270 { place := Silent; lamps := 1; horn := 1 } }
}

action armedOn when arming = 1 { arming := 0 }
action armedOff when disarming = 1 { disarming := 0 }
action flashOn when place = Alarm and disarming = 0 and lamps = 1 { lamps := 0 }
action flashOff when place != Alarm and lamps = 1 { lamps := 0 }
action soundOn when place = Alarm and disarming = 0 and horn = 1 { horn := 0 }
action soundOff when place != Alarm and (horn = 1 or hush = 1) { horn := 0; hush := 0 }

do
  close [] open [] lock [] unlock [] after(T) for T: Seconds
  [] armedOn [] armedOff [] flashOn [] flashOff [] soundOn [] soundOff
od
