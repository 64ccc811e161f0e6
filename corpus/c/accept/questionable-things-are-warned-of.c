int helper(int *p) { return *p; }
int main(void) {
  long x = 3;
  helper(&x);
  int y = undeclared(1);
  char *s = y;
  asm volatile("nop");
  return s == 5;
}
