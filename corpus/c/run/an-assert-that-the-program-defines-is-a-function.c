// Declared, used, and defined further on: what the program defines is meant, not the macro.
extern int printf(const char *, ...);
extern void assert(int);
extern void abort(void);
int main(void) {
  assert(1 == 2);
  printf("after\n");
  return 0;
}
void assert(int holds) {
  if (!holds)
    printf("the program's own\n");
}
