#include <stdio.h>
#include <stddef.h>
#pragma pack(push, 1)
struct tight { char a; int b; double c; };
#pragma pack(2)
struct half { char a; int b; };
#pragma pack(pop)
struct loose { char a; int b; };
int main(void) {
  int n = 5;
  int old = __sync_fetch_and_add(&n, 3), new = __atomic_sub_fetch(&n, 1, 5);
  __sync_synchronize();
  printf("%zu %zu %zu %zu\n", sizeof(struct tight), offsetof(struct tight, c), sizeof(struct half), sizeof(struct loose));
  int now = __atomic_load_n(&n, 5), last = __atomic_exchange_n(&n, 1, 5);
  printf("%d %d %d %d\n", old, new, now, last);
  return n;
}
