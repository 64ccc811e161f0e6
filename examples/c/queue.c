/* A bounded queue on the heap, and a client that fills and empties it. */
#include <stdlib.h>

struct node { int value; struct node *next; };
struct queue { struct node *first, *last; int length; };

static int put(struct queue *queue, int value) {
  struct node *node = malloc(sizeof *node);
  if (!node || queue->length >= 2) {
    free(node);
    return 0;
  }
  node->value = value;
  node->next = 0;
  if (queue->last)
    queue->last->next = node;
  else
    queue->first = node;
  queue->last = node;
  queue->length++;
  return 1;
}

static int get(struct queue *queue) {
  struct node *node = queue->first;
  if (!node)
    return -1;
  int value = node->value;
  queue->first = node->next;
  if (!queue->first)
    queue->last = 0;
  queue->length--;
  free(node);
  return value;
}

int client(unsigned char commands[3]) {
  struct queue queue = { 0 };
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    if (commands[i] & 1)
      sum += put(&queue, commands[i]);
    else
      sum += get(&queue);
  }
  while (queue.first)
    get(&queue);
  return sum;
}
