// Names of what compilers build in are free for functions of the program.
extern int printf(const char *, ...);
static int traps;
void trap(void);
void unreachable(void) { traps += 10; }
int main(void) {
  trap();
  unreachable();
  printf("%d\n", traps);
  return traps;
}
void trap(void) { traps++; }
