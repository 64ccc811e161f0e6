#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <ctype.h>
int main(void) {
  char buffer[32] = "one";
  strcat(buffer, " two");
  printf("%s %zu %d %d\n", buffer, strlen(buffer), strcmp("a", "b") < 0, strncmp("abc", "abd", 2));
  printf("%s %s %c\n", strchr(buffer, 't'), strstr(buffer, "e t"), *strrchr(buffer, 'o'));
  char *copy = strdup(buffer);
  for (char *p = copy; *p; p++) *p = toupper((unsigned char)*p);
  puts(copy);
  memmove(copy + 1, copy, 5);
  printf("%.4s|%6s|%-6s|\n", copy, "ab", "cd");
  free(copy);
  int *grown = calloc(2, sizeof(int));
  grown = realloc(grown, 4 * sizeof(int));
  grown[3] = 5;
  printf("%d %d %d\n", grown[0], grown[3], atoi(" -12x"));
  free(grown);
  char text[8];
  snprintf(text, sizeof text, "%d-%d", 12345, 6789);
  puts(text);
  return (int)strspn("aabbc", "ab") * 10 + memcmp("x", "x", 1);
}
