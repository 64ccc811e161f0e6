// What is met before counts, what stands behind does not happen.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    int x = __VERIFIER_nondet_int(), found = 0;
    if (x == 1000)
        found = 1;
    __VERIFIER_assume(x < 500);
    if (x == 600)
        found = 2;
    return found;
}
