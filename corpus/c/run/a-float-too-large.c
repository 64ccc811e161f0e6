int main(void) {
  double d = 1e10;
  return (int)d;
}
