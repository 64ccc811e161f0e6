// input: x = 2147483647
// entry: f
int f(int x) {
  unsigned u = x;
  u = u + 1;
  return x + 1;
}
