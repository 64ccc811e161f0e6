/* A ring buffer, and a parser of frames that are fed byte by byte: 0x7e, length, payload, sum of the payload. */
#include <stddef.h>
#include <stdint.h>

#define SIZE 8u
#define MOST 5u

struct ring {
  uint8_t data[SIZE];
  unsigned head;
  unsigned count;
};

enum state { WAITING, LENGTH, PAYLOAD, SUM };

struct parser {
  enum state state;
  uint8_t payload[MOST];
  uint8_t length;
  uint8_t filled;
  uint8_t sum;
};

static unsigned dropped;
unsigned frames;

void deliver(const uint8_t *payload, unsigned length);
void complain(int reason, uint8_t byte);

int ring_put(struct ring *ring, uint8_t byte)
{
  if (ring->head >= SIZE || ring->count > SIZE)
    return -1;
  if (ring->count == SIZE) {
    ++dropped;
    return 0;
  }
  ring->data[(ring->head + ring->count) % SIZE] = byte;
  ++ring->count;
  return 1;
}

int ring_get(struct ring *ring, uint8_t *byte)
{
  if (ring->head >= SIZE || ring->count > SIZE)
    return -1;
  if (ring->count == 0)
    return 0;
  *byte = ring->data[ring->head];
  ring->head = (ring->head + 1) % SIZE;
  --ring->count;
  return 1;
}

void ring_clear(struct ring *ring)
{
  ring->head = 0;
  ring->count = 0;
  dropped = 0;
}

void parser_reset(struct parser *parser)
{
  parser->state = WAITING;
  parser->length = 0;
  parser->filled = 0;
  parser->sum = 0;
}

void parser_feed(struct parser *parser, uint8_t byte)
{
  switch (parser->state) {
  case WAITING:
    if (byte == 0x7e)
      parser->state = LENGTH;
    break;
  case LENGTH:
    if (byte == 0 || byte > MOST) {
      complain(1, byte);
      parser_reset(parser);
      break;
    }
    parser->length = byte;
    parser->filled = 0;
    parser->sum = 0;
    parser->state = PAYLOAD;
    break;
  case PAYLOAD:
    if (parser->filled >= MOST) {
      parser_reset(parser);
      break;
    }
    parser->payload[parser->filled] = byte;
    parser->filled++;
    parser->sum += byte;
    if (parser->filled >= parser->length)
      parser->state = SUM;
    break;
  case SUM:
    if (byte == parser->sum) {
      ++frames;
      deliver(parser->payload, parser->length);
    } else {
      complain(2, byte);
    }
    parser_reset(parser);
    break;
  default:
    parser_reset(parser);
    break;
  }
}

int parser_drain(struct parser *parser, struct ring *ring)
{
  int taken = 0;
  uint8_t byte;
  while (taken < 3 && ring_get(ring, &byte) == 1) {
    parser_feed(parser, byte);
    ++taken;
  }
  return taken;
}
