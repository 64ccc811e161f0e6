// Behind the check nothing is larger than 10: the error call ends the program, not only the function that checks.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
void check(_Bool holds)
{
    if (!holds)
        __VERIFIER_error();
}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    check(x <= 10);
    if (x == 20)
        return 1;
    return 0;
}
