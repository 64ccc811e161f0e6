// no assertions
// The same program where assertions do nothing: everything is possible.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), found = 0;
    if (x == 1000)
        found = 1;
    assert(x < 500);
    if (x == 600)
        found = 2;
    return found;
}
