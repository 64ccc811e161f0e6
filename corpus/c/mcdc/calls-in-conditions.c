static int count;
static _Bool tick(_Bool answer) {
  count++;
  return answer && count < 3;
}
int f(_Bool a, _Bool b, _Bool c) {
  count = 0;
  if (tick(a) && (tick(b) || tick(c)))
    return count;
  return -count;
}
