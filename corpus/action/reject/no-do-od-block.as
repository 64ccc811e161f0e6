type T = 0..3;
var x: T = 0;
action a { skip }
