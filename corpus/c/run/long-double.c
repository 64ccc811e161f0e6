/* Numbers of 80 bits: more digits than double, a wider range, and conversions that round once. */
#include <float.h>
#include <stdio.h>

static long double third(long double x) { return x / 3; }

int main(void)
{
    long double a = 0.1L, b = 0.1;
    printf("%d %d %d\n", a == b, (double)a == 0.1, a < b);
    long double large = 1e4000L;
    printf("%d %d %d\n", large > DBL_MAX, large * large > large, large / large == 1);
    printf("%.17g %.9g\n", (double)third(1), (double)(float)third(2));
    unsigned long long most = 0xffffffffffffffffULL;
    long double whole = most;
    printf("%d %d %llu\n", whole == 18446744073709551615.0L, (double)whole == 18446744073709551616.0, (unsigned long long)whole);
    long double sum = 0;
    for (int i = 1; i <= 20; i++)
        sum += 1.0L / i;
    printf("%.17g %d\n", (double)sum, (int)sizeof sum);
    printf("%d %d %d\n", (int)-2.75L, !0.0L, -0.0L == 0.0L);
    volatile long double tiny = 1e-4940L;
    printf("%d %d\n", tiny > 0, tiny / 1e20L > 0);
    union { long double number; unsigned char bytes[16]; } view = { 1.0L };
    printf("%d %d %d\n", view.bytes[7], view.bytes[8], view.bytes[9]);
    return (int)(DBL_MAX > 1e308);
}
