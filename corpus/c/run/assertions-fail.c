// input: x = 3
// entry: f
#include <assert.h>
int f(int x) {
  assert(x > 2);
  assert(x > 2 && x < 3);
  return x;
}
