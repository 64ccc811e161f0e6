// entry: put
// An index beyond `samples` is undefined, although the structure goes on behind it; one beyond `tail`, which ends what `r` points to, is
// not: such memory is often longer than its type says. An address may stand just behind an array.
struct ring { int samples[4]; int next; int tail[2]; };
static struct { struct ring ring; int more; } all;
int put(int next, int v) {
    struct ring *r = &all.ring;
    if (v == 0) {
        r->samples[next] = v;
        if (next > 3) return 1;
    } else if (v == 1) {
        r->tail[next] = v;
        if (next == 2) return 2;
    } else if (v == 2) {
        int *at = &r->samples[next];
        if (at == &r->samples[4]) return 3;
        if (next == 5) return 4;
    } else {
        int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
        if (next >= 0 && next < 6 && grid[0][next] == 5) return 5;
    }
    return 0;
}
