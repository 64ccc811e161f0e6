// Every construct of the native notation.
depth 12;
type Colour = { red, green, blue };
type Small = -2..2;
type Cells = array 1..3 of Small;
type Level = 1..2 { low, high };
var colour: Colour = red;
var x, y: Small = 0;
var cells: Cells = [0, 1, -1];
var level: Level = low;
input paint, 'two words';
internal tick;
action paint(c) when c != colour { colour := c }
action 'two words' when not (x = 1 xor y = 1) -> level = high { skip }
action tick when x < 2 {
  choose { x := x + 1 } or { when cells[x + 2] > 0 { x := 0; { y := y - 1; y := y } } } or { };
  try { when y > 0 { level := high } } else { level := low }
}
action tock(i, v) { cells[i] := max(v, min(x, abs(y))) * 1 - -(x) }
do
  paint(C) for C: Colour [] paint(green) [] 'two words'
  [] tick >> (tick ; tock(2, V) for V: Small)
  [] tock(I, V) for I: Small, V: Small
od
