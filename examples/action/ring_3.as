// A ring of 3 stations that pass a token; made by ring.py.
depth 1000;

type Station = 0..2;
type Mode = { idle, wanting, talking };
type Modes = array 0..2 of Mode;

var mode: Modes = idle;
var token: Station = 0;

input want, hang_up;

action want(s) when mode[s] = idle { mode[s] := wanting }
action talk(s) when mode[s] = wanting and token = s { mode[s] := talking }
action hang_up(s) when mode[s] = talking { mode[s] := idle; token := (token + 1) mod 3 }
action pass(s) when token = s and mode[s] = idle { token := (token + 1) mod 3 }

do
  want(S) for S: Station [] talk(S) for S: Station [] hang_up(S) for S: Station [] pass(S) for S: Station
od
