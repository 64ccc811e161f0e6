// Listing 1.1 of the thesis: six condition edges, two of them in a conditional statement.
void foo(int x) {
  int a = x > 2 && x < 5;
  if (a) { 0; } else { 1; }
}
