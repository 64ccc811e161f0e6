#include <math.h>
#include <stdlib.h>
int main(void) {
  div_t d = div(17, 5);
  int e = 0;
  double half = frexp(12.0, &e);
  return lround(2.5) * 1000 + lround(-2.5) * 100 + lrint(2.5) * 10 + d.quot + d.rem + e + (half == 0.75);
}
