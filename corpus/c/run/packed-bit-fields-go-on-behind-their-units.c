// Packed bit-fields follow each other without a gap, wherever the units of their types end.
#include <stdio.h>
struct __attribute__((packed)) tight {
    unsigned a : 3;
    unsigned b : 30;
    long long c : 40;
    unsigned short d : 15;
    unsigned char e;
    unsigned long long f : 64;
    int g : 9;
};
#pragma pack(1)
struct by_pragma { unsigned a : 5; unsigned b : 12; unsigned short c; unsigned d : 31; unsigned e : 7; };
#pragma pack()
int main(void)
{
    struct tight t = { 5, 0x2abcdef1, -3, 0x5a5a, 200, 0x0123456789abcdefULL, -200 };
    t.b += 7;
    t.c -= 1LL << 33;
    t.f ^= 1;
    struct tight u = t;
    u.d++;
    unsigned char *bytes = (unsigned char *)&u;
    for (unsigned at = 0; at < sizeof u; at++)
        printf("%02x", bytes[at]);
    printf("\n%u %u %lld %u %u %llx %d\n", u.a, u.b, (long long)u.c, u.d, u.e, (unsigned long long)u.f, u.g);
    struct by_pragma p = { 17, 0xabc, 9, 0x7ffffffe, 100 };
    p.d++;
    p.e--;
    bytes = (unsigned char *)&p;
    for (unsigned at = 0; at < sizeof p; at++)
        printf("%02x", bytes[at]);
    printf("\n%d %d\n", (int)sizeof t, (int)sizeof p);
    return u.c < 0;
}
