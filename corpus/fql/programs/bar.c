int foo(int x, int y) {
  if (x > y)
    return x;
  else
    return y + 10;
}
