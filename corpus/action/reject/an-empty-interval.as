type T = 3..0;
type U = 0..9000000000000000000;
var x: T = 0;
action a { skip }
do a od
