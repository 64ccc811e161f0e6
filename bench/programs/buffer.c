/* A ring buffer with marks, driven by commands; and a matrix of small numbers with its determinant. */

#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define STEPS 6
#define ROOM 3

struct ring {
    int *cells;
    unsigned first, count, room;
    int mark;
};

static struct ring *ring_new(unsigned room)
{
    struct ring *ring = malloc(sizeof *ring);
    if (ring == NULL)
        return NULL;
    ring->cells = calloc(room, sizeof *ring->cells);
    if (ring->cells == NULL) {
        free(ring);
        return NULL;
    }
    ring->first = ring->count = 0;
    ring->room = room;
    ring->mark = -1;
    return ring;
}

static void ring_free(struct ring *ring)
{
    if (ring == NULL)
        return;
    free(ring->cells);
    free(ring);
}

static int ring_put(struct ring *ring, int value)
{
    if (ring->count == ring->room)
        return 0;
    ring->cells[(ring->first + ring->count) % ring->room] = value;
    ring->count++;
    return 1;
}

static int ring_get(struct ring *ring, int *value)
{
    if (ring->count == 0)
        return 0;
    *value = ring->cells[ring->first];
    ring->first = ring->first + 1 == ring->room ? 0 : ring->first + 1;
    ring->count--;
    if (ring->mark > 0)
        ring->mark--;
    else if (ring->mark == 0)
        ring->mark = -1;
    return 1;
}

static int ring_mark(struct ring *ring)
{
    if (ring->count == 0 || ring->mark >= 0)
        return 0;
    ring->mark = (int)ring->count - 1;
    return 1;
}

static int ring_rewind(struct ring *ring)
{
    if (ring->mark < 0)
        return 0;
    ring->count = (unsigned)ring->mark + 1;
    ring->mark = -1;
    return 1;
}

static int ring_sum(const struct ring *ring)
{
    int sum = 0;
    for (unsigned i = 0; i < ring->count; i++)
        sum += ring->cells[(ring->first + i) % ring->room] & 0xFF;
    return sum;
}

static int determinant(int m[3][3])
{
    int result = 0;
    for (int column = 0; column < 3; column++) {
        int a = m[1][(column + 1) % 3] * m[2][(column + 2) % 3];
        int b = m[1][(column + 2) % 3] * m[2][(column + 1) % 3];
        result += m[0][column] * (a - b);
    }
    return result;
}

static int rank(int m[3][3])
{
    if (determinant(m) != 0)
        return 3;
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            for (int k = 0; k < 3; k++)
                if (m[i][k] * m[j][(k + 1) % 3] != m[i][(k + 1) % 3] * m[j][k])
                    return 2;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (m[i][k] != 0)
                return 1;
    return 0;
}

static int commands(struct ring *ring)
{
    int refused = 0, last = 0;
    for (int i = 0; i < STEPS; i++) {
        int good = 1;
        switch (__VERIFIER_nondet_uchar()) {
        case 'p':
            good = ring_put(ring, __VERIFIER_nondet_int());
            break;
        case 'g':
            good = ring_get(ring, &last);
            break;
        case 'm':
            good = ring_mark(ring);
            break;
        case 'r':
            good = ring_rewind(ring);
            break;
        case 's':
            if (ring_sum(ring) == 300)
                return 300;
            break;
        default:
            good = 0;
            break;
        }
        if (!good)
            refused++;
    }
    if (refused == 0 && last == 77)
        return 77;
    return refused;
}

int main(void)
{
    if (__VERIFIER_nondet_uchar() & 1) {
        int m[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                m[i][j] = (signed char)__VERIFIER_nondet_uchar() / 16;
        return rank(m);
    }
    struct ring *ring = ring_new(ROOM);
    if (ring == NULL)
        return -1;
    int result = commands(ring);
    ring_free(ring);
    return result;
}
