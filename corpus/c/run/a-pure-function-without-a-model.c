#include <math.h>
int f(double x) {
  return erf(x) == 17;
}
int main(void) {
  return f(1.5);
}
