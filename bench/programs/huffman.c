/* Code lengths of a Huffman code by a heap, limited by scaling the weights down; then codes, and a decoder for them. */

extern unsigned char __VERIFIER_nondet_uchar(void);

#define SYMBOLS 4
#define NODES (2 * SYMBOLS)
#define LONGEST 2
#define BITS 6

static int weight[NODES], parent[NODES], heap[SYMBOLS + 2];
static int size;

static void up(int at)
{
    int moved = heap[at];
    while (weight[moved] < weight[heap[at / 2]]) {
        heap[at] = heap[at / 2];
        at /= 2;
    }
    heap[at] = moved;
}

static void down(int at)
{
    int moved = heap[at];
    for (;;) {
        int child = 2 * at;
        if (size < child)
            break;
        if (child < size && weight[heap[child + 1]] < weight[heap[child]])
            child++;
        if (weight[moved] < weight[heap[child]])
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static int take(void)
{
    int top = heap[1];
    heap[1] = heap[size];
    size--;
    down(1);
    return top;
}

static int lengths(const unsigned char *frequency, unsigned char *length)
{
    int tries = 0;
    for (int i = 0; i < SYMBOLS; i++)
        weight[i + 1] = (frequency[i] == 0 ? 1 : frequency[i]) << 8;
    for (;;) {
        int nodes = SYMBOLS;
        int longest = 0;
        tries++;
        size = 0;
        heap[0] = 0;
        weight[0] = -1;
        for (int i = 1; i <= SYMBOLS; i++) {
            parent[i] = -1;
            heap[++size] = i;
            up(size);
        }
        while (1 < size) {
            int one = take(), two = take();
            nodes++;
            parent[one] = nodes;
            parent[two] = nodes;
            weight[nodes] = weight[one] + weight[two];
            parent[nodes] = -1;
            heap[++size] = nodes;
            up(size);
        }
        for (int i = 1; i <= SYMBOLS; i++) {
            int depth = 0;
            for (int node = i; 0 <= parent[node]; node = parent[node])
                depth++;
            length[i - 1] = (unsigned char)depth;
            if (longest < depth)
                longest = depth;
        }
        if (longest <= LONGEST)
            return tries;
        if (5 < tries)
            return -1;
        for (int i = 1; i <= SYMBOLS; i++)
            weight[i] = (1 + (weight[i] >> 8) / 2) << 8;
    }
}

static void codes(const unsigned char *length, unsigned char *code)
{
    int next = 0;
    for (int wanted = 1; wanted <= LONGEST + 1; wanted++) {
        for (int i = 0; i < SYMBOLS; i++)
            if (length[i] == wanted)
                code[i] = (unsigned char)next++;
        next <<= 1;
    }
}

static int decode(const unsigned char *length, const unsigned char *code, unsigned bits)
{
    int found = 0, value = 0, count = 0;
    for (int i = BITS - 1; 0 <= i; i--) {
        value = value << 1 | (int)(bits >> i & 1);
        count++;
        for (int symbol = 0; symbol < SYMBOLS; symbol++) {
            if (length[symbol] == count && code[symbol] == value) {
                found = found * SYMBOLS + symbol;
                value = count = 0;
                break;
            }
        }
        if (LONGEST < count)
            return -1;
    }
    return found;
}

int main(void)
{
    unsigned char frequency[SYMBOLS], length[SYMBOLS], code[SYMBOLS] = { 0 };
    for (int i = 0; i < SYMBOLS; i++)
        frequency[i] = __VERIFIER_nondet_uchar() & 15;
    int tries = lengths(frequency, length);
    if (tries < 0)
        return -1;
    codes(length, code);
    int text = decode(length, code, __VERIFIER_nondet_uchar() & 63);
    if (text < 0)
        return -2;
    return tries == 2 && text == 27;
}
