#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *line = NULL;
  size_t size = 0;
  getline(&line, &size, stdin);
  return line[0];
}
