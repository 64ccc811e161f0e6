type T = 0..3;
var x: T = 0;
var y: U = 0;
action a when xx = 1 { z := 1; x := w }
action b(p) { x := p }
do aa [] b(Q) for P: T [] b(R) for R: V od
