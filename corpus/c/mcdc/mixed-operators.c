int f(_Bool a, _Bool b, _Bool c, _Bool d) {
  if ((a && (b || !c)) || (!a && d))
    return 1;
  if (!((a || b) && (c || d)))
    return 2;
  return 0;
}
