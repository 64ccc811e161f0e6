int cmp(int x, int y) {
  int value = 0;
  if ((x || y) && x > y)
    value = 1;
  else if (x < y)
    value = -1;
  return value;
}
