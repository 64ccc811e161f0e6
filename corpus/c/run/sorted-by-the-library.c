#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pair { const char *name; int number; };
static int by_name(const void *a, const void *b) { return strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name); }
int main(void) {
  struct pair pairs[] = { { "pear", 1 }, { "apple", 2 }, { "fig", 3 } };
  qsort(pairs, 3, sizeof *pairs, by_name);
  struct pair wanted = { "fig", 0 }, *found = bsearch(&wanted, pairs, 3, sizeof *pairs, by_name);
  printf("%s %s %s %d\n", pairs[0].name, pairs[1].name, pairs[2].name, found ? found->number : -1);
  int n = 3, a[n + 1];
  sscanf("7 x 1f", "%d x %x", &a[0], (unsigned *)&a[1]);
  printf("%zu %d %d\n", sizeof a, a[0], a[1]);
  return 0;
}
