// A constant may be computed from others, and stands wherever a number does.
const N = 3;
const LAST = 2 * N - 1;
depth N;
type Level = 0..LAST;
type Cells = array 0..N of Level;
var x: Level = N;
var c: Cells = [0, N, LAST, 1];
action up(p) when x < LAST and p = N { x := x + 1; c[N] := max(p, LAST) }
do up(N) [] up(P) for P: Level od
