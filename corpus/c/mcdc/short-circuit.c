int f(_Bool a, _Bool b, _Bool c) {
  if (a && b && c)
    return 1;
  if (a || b || c)
    return 2;
  return 0;
}
