// Beginnings of runs are tests: they are cut where their inputs end.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int state = 0;
    while (1) {
        int in = __VERIFIER_nondet_int();
        if (state == 0 && in == 4711)
            state = 1;
        else if (state == 1 && in == state + 9)
            state = 2;
        else if (state == 2 && in < 0)
            state = 3;
        if (state == 3 && in > 5)
            state = 0;
        if (state == 4)
            return 1;
    }
}
