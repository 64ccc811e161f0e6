// As compiled: where the assertion fails the program is aborted, and what was met before counts.
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
    if (x == 400)
        found = 3;
    return found;
}
