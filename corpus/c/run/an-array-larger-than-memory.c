// entry: f
// input: n = 4611686018427387904
int f(unsigned long n)
{
    int a[n];
    a[0] = 1;
    return a[0];
}
