// input: x = -2147483648
// entry: f
int f(int x) {
  return x % -1;
}
