int f(_Bool a, _Bool b, _Bool c) {
  _Bool t;
  if (a && (t = b) && (t || c))
    return 1;
  if ((t = a) || (t && b) || c)
    return 2;
  return 0;
}
