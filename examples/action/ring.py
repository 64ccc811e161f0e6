#!/usr/bin/env python3
"""A ring of K stations that pass a token, as an action system: `ring.py K` prints the model.

Each station is idle, wants the line or has it; only the station with the token may take the line. The model has
3 * K * 2**(K-1) reachable states, which makes it a family for measuring.
"""
import sys

k = int(sys.argv[1]) if len(sys.argv) > 1 else 3
print(f"""// A ring of {k} stations that pass a token; made by ring.py.
depth 1000;

type Station = 0..{k - 1};
type Mode = {{ idle, wanting, talking }};
type Modes = array 0..{k - 1} of Mode;

var mode: Modes = idle;
var token: Station = 0;

input want, hang_up;

action want(s) when mode[s] = idle {{ mode[s] := wanting }}
action talk(s) when mode[s] = wanting and token = s {{ mode[s] := talking }}
action hang_up(s) when mode[s] = talking {{ mode[s] := idle; token := (token + 1) mod {k} }}
action pass(s) when token = s and mode[s] = idle {{ token := (token + 1) mod {k} }}

do
  want(S) for S: Station [] talk(S) for S: Station [] hang_up(S) for S: Station [] pass(S) for S: Station
od""")
