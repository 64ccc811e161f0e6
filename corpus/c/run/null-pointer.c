// input: p = null
// entry: f
int f(int *p) {
  return p[1];
}
