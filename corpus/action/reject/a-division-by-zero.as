type T = 0..3;
var x: T = 0;
action a when 5 / (x - x * 1) = 1 { skip }
action b when 5 mod 0 = 1 { skip }
do a [] b od
