// A cruise control that keeps a speed, or a gap to the car ahead. The driver works levers, pedals and the key; a radar tells what is ahead.
depth 300;

type Flag = { off, on };
type Speed = 0..5;
type Radar = { nothing, far, near, close };
type Trend = { opening, steady, closing };
type Control = { idle, ready, keeping, following, braking };

const SLOWEST = 2;
const FASTEST = 4;

var key, fault: Flag = off;
var control: Control = idle;
var speed, wanted: Speed = 0;
var radar: Radar = nothing;
var trend: Trend = steady;

let engaged = control = keeping or control = following or control = braking;
let danger = radar = close or radar = near and trend = closing;
let ahead = radar = near or radar = far and trend = closing;

input turn_key, gas, brake, set, faster, slower, cancel, sees, breaks, repaired;

action turn_key {
  choose { when not key { key, control := on, ready } } or { when key { key, control, wanted := off, idle, 0 } }
}
action gas when key and speed < 5 { speed := speed + 1 }
action brake when speed > 0 { speed := speed - 1; choose { when engaged { control := ready } } or { when not engaged { skip } } }
action set when control = ready and not fault and speed >= SLOWEST and speed <= FASTEST { control, wanted := keeping, speed }
action faster when engaged and wanted < FASTEST { wanted := wanted + 1 }
action slower when engaged and wanted > SLOWEST { wanted := wanted - 1 }
action cancel when engaged { control := ready }
action sees(r, t) when (r != radar or t != trend) and (r = nothing -> t = steady) { radar, trend := r, t }
action breaks when key and not fault { fault := on }
action repaired when fault and not key { fault := off }

// What the system does by itself.
action warns when engaged and fault { control := ready }
action starts_braking when (control = keeping or control = following) and not fault and danger { control := braking }
action slows when control = braking and not fault and danger and speed > 0 { speed := speed - 1 }
action releases when control = braking and not fault and not danger { control := following }
action follows when control = keeping and not fault and not danger and ahead { control := following }
action resumes when control = following and not fault and not danger and not ahead { control := keeping }
action speeds_up when control = keeping and not fault and not danger and not ahead and speed < wanted { speed := speed + 1 }
action eases when (control = keeping or control = following) and not fault and not danger and speed > wanted { speed := speed - 1 }

invariant off_without_key: not key -> control = idle;
invariant wanted_in_range: engaged -> wanted >= SLOWEST and wanted <= FASTEST;

do turn_key [] gas [] brake [] set [] faster [] slower [] cancel
  [] sees(R, T) for R: Radar, T: Trend [] breaks [] repaired
  [] warns [] starts_braking [] slows [] releases [] follows [] resumes [] speeds_up [] eases od
