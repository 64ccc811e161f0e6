type T = 0..3;
type A = array 0..2 of T;
var x: T = 0;
var c: A = 0;
action a(p) { p := 1; c := 2; x := c; x[1] := 2 }
do a(1) [] a(P) for P: A od
