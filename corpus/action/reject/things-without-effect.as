type T = 0..3;
var x: T = 0;
input nobody;
action a(p) { skip }
action b { skip }
do a(1) for P: T od
