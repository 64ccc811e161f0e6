int main(void) {
  int a[3] = {1, 2, 3}, s = 0;
  for (int i = 0; i <= 3; i++)
    s += a[i];
  return s;
}
