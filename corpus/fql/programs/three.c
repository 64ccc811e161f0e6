int cmp(int x, int y) {
  int value = 0;
  if (x > y)
    value = 1;
  else if (x < y)
    value = -1;
  return value;
}
int main(int x, int y, int z) {
  int sum;
  sum = 0;

  sum += cmp(x, y);
  sum += cmp(y, z);
  sum += cmp(x, z);
  return sum;
}
