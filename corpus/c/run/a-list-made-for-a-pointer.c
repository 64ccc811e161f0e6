// entry: sum
// input: list = new[1]
// input: list[0].value = 4
// input: list[0].next = new[1]
// input: list[0].next[0].value = 38
// input: list[0].next[0].next = null
struct node { int value; struct node *next; };
int sum(struct node *list) {
  int s = 0;
  while (list) { s += list->value; list = list->next; }
  return s;
}
