int printf(const char *, ...);

int rand_init;

void insert(int *list, int place) {
  int rand;
  list[place] = rand % rand_init;
  return;
}

void eval(int *list, int first, int last) {
  if (first > last) return;
  printf("%d: %d\n", first, list[first]);
  eval(list + 1, first + 1, last);
  return;
}

int precond() {
  return (rand_init == 7);
}

int postcond() {
  return (rand_init == 7);
}

int main(int argc, char *argv[]) {
  int i;
  int three[3];
  int max;

  if (max > 0)
init: rand_init = 7;

  for (i = 0; i < max; ++i)
    insert(three, i);

  eval(three, 0, max);

  return 0;
}
