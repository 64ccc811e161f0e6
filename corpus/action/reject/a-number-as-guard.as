type T = 0..3;
var x: T = 0;
action a when x + 1 { skip }
do a od
