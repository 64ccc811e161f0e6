int f(_Bool a, _Bool b, _Bool c) {
  int n = 0;
  while (n < 3 && (a || (b && n == 1)))
    n++;
  do
    n--;
  while (n > 0 && !c);
  for (int i = 0; i < 2 && !(a && i); i++)
    n++;
  return n;
}
