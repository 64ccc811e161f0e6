type T = 0..3;
var x: T = 0;
action a(p) { x := p }
do a [] a(1, 2) od
