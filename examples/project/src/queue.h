#ifndef QUEUE_H
#define QUEUE_H

#define CAPACITY 4

struct queue {
  unsigned char items[CAPACITY];
  unsigned head, count;
};

int put(struct queue *q, unsigned char item);

#endif
