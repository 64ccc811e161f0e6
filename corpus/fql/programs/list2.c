int partition(int list[], int left, int right) {
  int pivot = list[right], i = left - 1, j = right, t;
  for (;;) {
    while (list[++i] < pivot) ;
    while (j > left && list[--j] > pivot) ;
    if (i >= j) break;
    t = list[i]; list[i] = list[j]; list[j] = t;
  }
  t = list[i]; list[i] = list[right]; list[right] = t;
  return i;
}

int main(int argc, char *argv[]) {
  int three[3];
  partition(three, 0, 2);
}
