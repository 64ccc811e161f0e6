type T = 0..3;
var x: T = 0;
action a when 0 < x < 2 { skip }
do a od
