// property: error-call
// unwind: 4
// More rounds than the bound allows: nothing is promised beyond it.
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 50, sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += 2;
    if (sum % 2 == 1)
        reach_error();
    return 0;
}
