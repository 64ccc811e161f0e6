// undefined: go-on
// Runs go on behind arithmetic, not behind memory: what is met before that is not called impossible, nor what may be met behind it.
int table[3];
static int entry(int i) { return table[i]; }
int main(int n)
{
    if (n > 2)
        entry(n);
    if (n == 9)
        return 2;
    if (n + 1 < n)
        return 3;
    return 0;
}
