int f(_Bool a, _Bool b, _Bool c) {
  _Bool both = a && b;
  int result = both || c;
  result += !(a || c) ? 2 : 0;
  return (result > 1 && both) == (b || c);
}
