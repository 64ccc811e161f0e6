int f(_Bool a, _Bool b) {
  if (a && (b || 1))
    return 1;
  if (a || (b && 0))
    return 2;
  return 0;
}
