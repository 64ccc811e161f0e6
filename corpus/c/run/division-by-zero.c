// input: x = 0
// entry: f
int f(int x) {
  return 10 / x;
}
