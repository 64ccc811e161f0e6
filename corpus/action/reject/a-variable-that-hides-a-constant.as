const N = 3;
type Level = 0..N;
var N: Level = 0;
action up when true { N := 1 }
do up od
