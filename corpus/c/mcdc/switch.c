int f(_Bool a, _Bool b, _Bool c) {
  switch (a + b) {
  case 0:
    return c && a ? 1 : 2;
  case 1:
    if (a && !c)
      return 3;
    /* falls through */
  default:
    return a || c;
  }
}
