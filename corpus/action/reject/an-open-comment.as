type T = 0..3;
var x: T = 0;
/* never closed
action a { skip }
do a od
