// A bit-field of 40 bits has a type of 40 bits for gcc: beside a `long` it becomes a `long`, whatever its sign.
#include <stdio.h>
struct s { unsigned long u : 40; long long s : 35; unsigned char few : 4; unsigned long v : 33; };
int main(void)
{
    struct s t = { 2, -5, 3, 7 };
    long minus = -8;
    unsigned count = 3;
    printf("%d %d\n", t.u > minus, (t.u & t.few) >= minus);
    printf("%d %d %d\n", t.s < count, t.s < t.v, t.u + minus < 0);
    printf("%lld %d\n", (long long)(t.u - 3), t.u - 3 > 0);
    printf("%d %d\n", (t.few ? t.u : minus) > -9, -t.u > minus);
    return t.v - 8 > 0;
}
