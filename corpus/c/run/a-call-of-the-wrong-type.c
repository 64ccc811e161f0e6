int f(int x) { return x; }
int main(void) {
  double (*p)(double) = (double (*)(double))f;
  return (int)p(1.0);
}
