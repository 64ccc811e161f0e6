// The C library calls back: comparisons of qsort and bsearch are followed.
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static int cmp(const void *a, const void *b) { int x = *(const int*)a, y = *(const int*)b; if (x < y) return -1; if (x > y) return 1; return 0; }
int main() { int v[5]; for (int i = 0; i < 5; i++) v[i] = __VERIFIER_nondet_int();
 qsort(v, 5, sizeof v[0], cmp);
 if (v[0] > v[1]) return 9;
 int key = __VERIFIER_nondet_int(); int *p = bsearch(&key, v, 5, sizeof(int), cmp);
 if (p) { if (p - v == 3) return 1; return 2; } 
 return 0; }
