void foo(int x) {
  int a = x > 2 && x < 5;
  if (a) { 0; } else { 1; }
}
