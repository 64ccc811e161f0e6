// A loop of fifty rounds with an assertion on inputs in each of them: the search follows all rounds.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 50; i++) {
        unsigned char x = __VERIFIER_nondet_uchar();
        assert(x != 255);
        sum += x;
    }
    if (sum == 50 * 254)
        return 1;
    return 0;
}
