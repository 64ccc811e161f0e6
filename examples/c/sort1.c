#include <stdio.h> /* control flow of listing 7.2 of Tautschnig's thesis */

int compare(int left, int right) {
  if (left <= right) return 1;
  return 0;
}

int unfinished(); /* nobody has written it yet */

void sort(int *cells, int len) {
  int i, t;
  for (i = 1; i < len; i++) {
    if (compare(cells[i - 1], cells[i])) continue;
    unfinished();
    t = cells[i];
    cells[i] = cells[i - 1];
    cells[i - 1] = t;
  }
  return;
}

void eval(int *cells, int len) {
  int i;
  for (i = 0; i < 3; i++)
    printf("cell %d holds %d\n", i, cells[i]);
  return;
}

int main(int argc, char *argv[]) {
  int i;
  int cells[3]; /* neither these */
  int verify;   /* nor this is ever set: they are inputs */

  for (i = 0; i < 3; i++)
    sort(cells, 3);

  if (verify) {
    assert(compare(cells[0], cells[1]));
    assert(compare(cells[1], cells[2]));
  }

  eval(cells, 3);

  return 0;
}
