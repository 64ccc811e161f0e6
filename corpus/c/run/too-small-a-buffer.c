#include <string.h>
int main(void) {
  char b[4];
  strcpy(b, "12345");
  return 0;
}
