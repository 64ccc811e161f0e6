// entry: f
// What stands behind an unsupported statement has goals, and they are open.
int f(int n)
{
    if (n < 0)
        return 1;
    if (n == 7) {
        __label__ there;
        void *target = &&there;
        goto *target;
    there:
        if (n > 100)
            return 2;
    }
    return 0;
}
