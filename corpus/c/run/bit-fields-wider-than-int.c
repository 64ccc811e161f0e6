struct wide { unsigned long long a : 40; long long b : 40; };
struct wide w = { 0, -1 };
int printf(const char *, ...);
int main(void)
{
    printf("%d %d\n", w.a - 1 == 0xffffffffffULL, w.a == -1);
    w.a = 0xff00000001ULL;
    printf("%d %d\n", (w.a << 8) == 0x100, (w.a << 8) + 1ULL == 0x101);
    printf("%d %d %d\n", ~w.a == 0x00fffffffeULL, -w.a == 0x00ffffffffULL, w.a * w.a == 0xfe00000001ULL);
    printf("%d %d\n", w.b < 0, (w.b >> 4) == -1);
    return w.a + 0xffffffULL > 0xffffffffffULL;
}
