// property: error-call
// The error needs the seventh number of Fibonacci.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int fibonacci(int n)
{
    if (n < 1)
        return 0;
    if (n == 1)
        return 1;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || 8 < n)
        return 0;
    if (fibonacci(n) == 13)
        reach_error();
    return 0;
}
