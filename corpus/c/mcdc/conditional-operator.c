int f(_Bool a, _Bool b, _Bool c) {
  int x = (a && b) || c ? 1 : 2;
  return x + (a ? (b || c ? 10 : 20) : (b && c ? 30 : 40));
}
