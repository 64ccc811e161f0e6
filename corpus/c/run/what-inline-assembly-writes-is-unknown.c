// The value is not made up: the run ends where it is used.
extern int printf(const char *, ...);
int main(void) {
  int x = 1, y = 2;
  __asm__ volatile("nop");
  __asm__("movl %1, %0" : "=r"(x) : "r"(y));
  y = 3;
  printf("%d\n", y);
  return x + 1;
}
