// entry: f
// What only a run with undefined behaviour showed is still limited by what the solver does not follow.
#include <math.h>
int table[3];
int f(int n, double x)
{
    if (n > 2) {
        if (sin(x) == 17.0)
            return 1;
        return table[n];
    }
    return 0;
}
