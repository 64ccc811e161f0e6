// input: x = 3
// entry: f
int f(int x) {
  __CPROVER_assume(x > 5);
  return x;
}
