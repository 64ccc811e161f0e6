// input: n = 32
// entry: f
int f(int n) {
  return 1 << n;
}
