// property: branches
// Loops of a hundred rounds that branch, where inputs do not decide how often they go round.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
#define N 100
int main(void)
{
    int a[N], b[N], i;
    for (i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < N; i++) b[i] = a[N - 1 - i];
    int max = b[0];
    for (i = 1; i < N; i++) if (b[i] > max) max = b[i];
    unsigned k = __VERIFIER_nondet_uint();
    if (k < N && b[k] == 12345 && a[k] == 777 && max == 20000) return 1;
    return 0;
}
