int printf(const char *, ...);
void __assert_fail(void);
int compare(int one, int other) {
  if (one <= other) return 1;
  return 0;
}

int unfinished();

void sort(int *list, int len) {
  int i, t;
  for (i = 1; i < len; ++i) {
    if (compare(list[i - 1], list[i])) continue;
    unfinished();
    t = list[i];
    list[i] = list[i - 1];
    list[i - 1] = t;
  }
  return;
}

void eval(int *list, int len) {
  int i;
  for (i = 0; i < 3; ++i)
    printf("%d: %d\n", i, list[i]);
  return;
}

int main(int argc, char *argv[]) {
  int i;
  int three[3];
  int verify;

  for (i = 0; i < 3; ++i)
    sort(three, 3);

  if (verify) {
    __CPROVER_assert(compare(three[0], three[1]), "first pair");
    __CPROVER_assert(compare(three[1], three[2]), "second pair");
  }

  eval(three, 3);

  return 0;
}
