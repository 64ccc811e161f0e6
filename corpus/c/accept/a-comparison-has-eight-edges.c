// The comparison of chapter 3 of the thesis: eight edges, and one inserted for the conditional of the second line.
int cmp(int x, int y) {
  int value = 0;
  if (x > y)
    value = 1;
  else if (x < y)
    value = -1;
  return value;
}
