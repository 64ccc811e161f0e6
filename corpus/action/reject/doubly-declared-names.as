type T = 0..3;
type T = 0..4;
var x: T = 0;
var x: T = 1;
action a(p, p) { skip }
action a(x) { skip }
input a, a;
do a(1, 2) od
