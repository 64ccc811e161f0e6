type T = 0..1000000000;
var x: T = 0;
action a { x := x * x; x := x * x }
do a od
