int f(int x) { if (x) return 1; }
int main(void) {
  f(0);
  return f(0);
}
