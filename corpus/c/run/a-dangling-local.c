int *leak(void) { int x = 3; return &x; }
int main(void) {
  int *p = leak();
  return *p;
}
