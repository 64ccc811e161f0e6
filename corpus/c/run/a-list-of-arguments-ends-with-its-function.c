// A list of arguments is of no use once the function that began it has returned.
#include <stdarg.h>
static va_list kept;
static void begin(int n, ...) { va_start(kept, n); }
static int next(int n, ...) { return n + va_arg(kept, int); }
int main(void) {
  begin(1, 2);
  return next(1, 3);
}
