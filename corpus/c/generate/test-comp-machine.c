// property: branches
// A machine with inputs from outside: the last state needs five right steps in a row.
extern int __VERIFIER_nondet_int(void);

static int state = 1;

static int step(int input)
{
    if (state == 1 && input == 3) {
        state = 2;
        return 0;
    }
    if (state == 2 && (input == 5 || input == 6)) {
        state = input == 5 ? 3 : 1;
        return 0;
    }
    if (state == 3 && input == 1) {
        state = 4;
        return 1;
    }
    if (state == 4 && input == 4) {
        state = 5;
        return 2;
    }
    return -1;
}

int main(void)
{
    for (int i = 0; i < 5; i++) {
        int input = __VERIFIER_nondet_int();
        if (input < 1 || 6 < input)
            return 0;
        if (step(input) < 0)
            return 0;
        if (state == 5 && i == 4)
            return 1;
    }
    return 0;
}
