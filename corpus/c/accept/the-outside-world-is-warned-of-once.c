#include <stdlib.h>
#include <time.h>
int main(void) {
  long now = time(NULL);
  srand(1);
  if (getenv("HOME") != NULL && labs(now) > 3) return time(NULL) == now;
  return 0;
}
