#include <stdio.h>
int main(void) {
  unsigned __int128 product = (unsigned __int128)0xffffffffffffffffu * 0xffffffffffffffffu;
  printf("%llx %llx\n", (unsigned long long)(product >> 64), (unsigned long long)product);
  int result;
  int lost = __builtin_add_overflow(2147483647, 1, &result);
  printf("%d %d %d %d\n", lost, result, __builtin_popcount(255), __builtin_clz(1));
  return 0;
}
