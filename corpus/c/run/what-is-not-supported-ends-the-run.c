typedef int four __attribute__((vector_size(16)));
typedef float _Complex point;
extern four shuffled(four, four);
extern double _Complex rotated(double _Complex, int);
four twice(four v) { return v + v; }
int elsewhere(int x)
{
    static void *targets[] = { &&one, &&two };
    goto *targets[x];
one:
    return 1;
two:
    return 2;
}
int grid(int n, int m)
{
    int a[n][m];
    a[0][0] = 1;
    return a[0][0];
}
int printf(const char *, ...);
int main(void)
{
    printf("%d %d\n", (int)sizeof(four), (int)sizeof(point));
    return elsewhere(1);
}
