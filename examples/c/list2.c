int partition(int cells[], int low, int high) { /* control flow of listing 7.1 of Tautschnig's thesis */
  int pivot = cells[high], i = low - 1, j = high, t;
  for (;;) {
    while (cells[++i] < pivot) {}
    while (j > low && cells[--j] > pivot) {}
    if (i >= j) break;
    t = cells[i]; cells[i] = cells[j]; cells[j] = t;
  }
  t = cells[i]; cells[i] = cells[high]; cells[high] = t;
  return i;
}

int main(int argc, char *argv[]) {
  int cells[3]; /* never set: its elements are the inputs */
  partition(cells, 0, 2);
}
