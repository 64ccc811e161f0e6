type T = 0..3;
type A = array 0..2 of T;
var x: T = 0;
var c: A = 0;
action a when 5 / x = 1 { c[x] := 1 }
do a od
