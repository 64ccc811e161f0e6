// entry: f
// input: n = -1
int f(int n)
{
    int a[n];
    a[0] = 1;
    return a[0];
}
