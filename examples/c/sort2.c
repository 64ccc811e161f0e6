#include <stdio.h> /* control flow of listing 7.3 of Tautschnig's thesis */

int rand_init;

void insert(int *cells, int pos) {
  int drawn; /* an input */
  cells[pos] = drawn % rand_init;
  return;
}

void eval(int *cells, int first, int last) {
  if (first > last) return;
  printf("cell %d holds %d\n", first, cells[first]);
  eval(cells + 1, first + 1, last);
  return;
}

int precond() {
  return rand_init == 7;
}

int postcond() {
  return rand_init == 7;
}

int main(int argc, char *argv[]) {
  int i;
  int cells[3];
  int max; /* an input */

  if (max > 0)
init: rand_init = 7;

  for (i = 0; i < max; i++)
    insert(cells, i);

  eval(cells, 0, max);

  return 0;
}
