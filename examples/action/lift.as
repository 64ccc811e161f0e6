// A lift with a door on each level. The cabin moves only while all doors are shut.
const N = 2;
type Mode = { shut, opening, open };
type Level = 0..N;
type Cabin = record { level: Level, moving: Flag };
type Flag = { no, yes };

var cabin: Cabin = [0, no];

machine Door(d: 0..N) {
  var mode: Mode = shut;
  action opens when not cabin.moving and cabin.level = d and mode = shut { mode := opening }
  action opened when mode = opening { mode := open }
  action shuts when mode = open { mode := shut }
}

let closed = forall d: Door | mode[d] = shut;

invariant one_open: forall d: Door | mode[d] != shut -> cabin.level = d;
invariant safe: cabin.moving -> closed;

input call;
action call when closed and not cabin.moving {
  any l: Level where l != cabin.level { cabin.level, cabin.moving := l, yes }
}
action arrived when cabin.moving { cabin.moving := no }

do Door [] call [] arrived od
