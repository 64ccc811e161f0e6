// Tautschnig, "Query-Driven Program Testing", listing 5.1 and figure 5.2: eight basic blocks; eleven under the rule of FShell.
int partition(int a[], int left, int right) {
  int v = a[right], i = left - 1, j = right, t;
  for (;;) {
    while (a[++i] < v)
      ;
    while (j > left && a[--j] > v)
      ;
    if (i >= j) break;
    t = a[i]; a[i] = a[j]; a[j] = t;
  }
  t = a[i]; a[i] = a[right]; a[right] = t;
  return i;
}

int main(int argc, char *argv[]) {
  int A[3];
  partition(A, 0, 2);
}
