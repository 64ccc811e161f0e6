/* A ring of requests, oldest first. */
#include "queue.h"

int put(struct queue *q, unsigned char item) {
  if (q == 0 || q->count >= CAPACITY || q->head >= CAPACITY)
    return 0;
  q->items[(q->head + q->count) % CAPACITY] = item;
  q->count++;
  return 1;
}
