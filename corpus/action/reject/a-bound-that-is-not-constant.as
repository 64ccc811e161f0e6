type Level = 0..N;
const N = 3;
var x: Level = 0;
action up when true { x := 1 }
do up od
