/* Decisions that are hard for coverage tools: operators that mix, conditions that are not evaluated, conditions that depend on
   each other, decisions outside `if`. */
int check(_Bool a, _Bool b, _Bool c, _Bool d) {
  int result = 0;
  if ((a && b) || (c && d))
    result += 1;
  if ((a || b) && (c || d))
    result += 2;
  if (!(a && !b) || c)
    result += 4;
  if (a && (b || c) && d)
    result += 8;
  if ((a && b) || (!a && c))
    result += 16;
  int either = (a && c) || d;
  result += (b || d) && a ? 32 : either;
  for (int i = 0; i < 2 && !(b && i == 1); i++)
    result += 64;
  while (a || (b && c)) {
    result += 256;
    a = 0;
    if (d)
      c = 0;
    else
      b = 0;
  }
  return result;
}
