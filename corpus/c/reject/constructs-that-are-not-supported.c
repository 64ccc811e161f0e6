#include <setjmp.h>
struct plain;
int f(int n) { int a[n][n]; return sizeof a; }
int jump(jmp_buf b) { return setjmp(b); }
int computed(void *p) { goto *p; }
