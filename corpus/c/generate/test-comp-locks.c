// property: error-call
// Locks taken and given back in rounds; the last check never fails.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void)
{
    int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
    int one = 0, two = 0;
    for (int round = 0; round < 3; round++) {
        if (first)
            one = 1;
        if (second)
            two = 1;
        if (first) {
            if (one != 1)
                reach_error();
            one = 0;
        }
        if (second) {
            if (two != 1)
                reach_error();
            two = 0;
        }
    }
    return 0;
}
