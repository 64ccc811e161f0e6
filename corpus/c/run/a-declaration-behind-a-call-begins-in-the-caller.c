// What is declared right behind a call begins to live in the caller, not in the function that is called.
extern int printf(const char *, ...);
int g;
void callee(int c) {
  if (c == 5)
    g = 1;
}
int twice(int a) {
  callee(a);
  int k[3], n;
  k[0] = g;
  n = a + 1;
  return k[0] + n;
}
int main(void) {
  callee(3);
  int k;
  k = g;
  for (int i = 4; i < 7; i++) {
    int got = twice(i);
    int more;
    more = got;
    printf("%d ", more + k);
  }
  return g;
}
