// property: error-call
// The number of rounds is not bounded: nothing is promised beyond the bound that was searched.
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += 2;
    if (sum % 2 == 1)
        reach_error();
    return 0;
}
