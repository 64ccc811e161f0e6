// property: branches
// Unsigned numbers wrap around, so both sides are possible; a product of two neighbours is never odd.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a + b < a)
        return 1;
    if ((a * (a + 1)) % 2 == 1)
        return 2;
    return 0;
}
