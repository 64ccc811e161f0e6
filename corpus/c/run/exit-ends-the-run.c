#include <stdlib.h>
#include <stdio.h>
void stop(int c) { printf("bye\n"); exit(c); }
int main(void) {
  stop(3);
  return 0;
}
