// no assertions
// input: x = 3
// entry: f
#include <assert.h>
int f(int x) {
  assert(x > 5);
  return x;
}
