static const int table[2] = { 1, 2 };
int main(void) {
  int *p = (int *)table;
  p[1] = 3;
  return table[1];
}
