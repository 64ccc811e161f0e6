// property: error-call
// The function is declared, used and then defined: the error call in its body is reached.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
void assert(int holds);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x != 12);
    return 0;
}
void assert(int holds)
{
    if (!holds)
        reach_error();
}
