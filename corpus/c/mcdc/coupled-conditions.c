int f(_Bool a, _Bool b) {
  if ((a && b) || (a && !b))
    return 1;
  if (a || (a && b))
    return 2;
  return 0;
}
