#include <stdarg.h>
#include <stdio.h>
static int total(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  int sum = 0;
  for (int i = 0; i < count; i++) sum += va_arg(list, int);
  va_end(list);
  printf("%d first\n", va_arg(again, int));
  va_end(again);
  return sum;
}
int main(void) { return total(3, 10, 20, 12); }
