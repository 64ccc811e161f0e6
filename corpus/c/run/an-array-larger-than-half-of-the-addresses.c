// entry: f
// input: n = 18446744073709551615
int f(unsigned long n)
{
    char a[n];
    a[0] = 1;
    return a[0];
}
