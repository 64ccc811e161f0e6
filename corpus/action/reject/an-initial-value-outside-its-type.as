type T = 1..3;
type A = array 0..2 of T;
var x: T = 0;
var c: A = [1, 2];
var d: A = [1, 2, 4];
action a { skip }
do a od
