/* Bubble sort of four elements, with the postcondition as an assertion. */
#include <assert.h>

static void sort(int *a, int n) {
  for (int pass = 0; pass < n - 1; pass++) {
    int swapped = 0;
    for (int i = 0; i < n - 1 - pass; i++) {
      if (a[i] > a[i + 1]) {
        int t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
        swapped = 1;
      }
    }
    if (!swapped)
      return;
  }
}

int main(void) {
  int a[4];
  sort(a, 4);
  for (int i = 0; i < 3; i++)
    assert(a[i] <= a[i + 1]);
  return 0;
}
