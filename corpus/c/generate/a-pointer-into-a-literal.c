// entry: main
// criterion: branch
// Words read through a pointer that walks, and a global place that walks with it.
extern char __VERIFIER_nondet_char(void);
static char text[5];
static int at;

static int word(const char *rest)
{
    for (; *rest != 0; rest++, at++)
        if (text[at] != *rest)
            return 0;
    return 1;
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    switch (text[at]) {
    case 'y':
        if (!word("yes"))
            return 1;
        break;
    case 'n':
        if (!word("no"))
            return 2;
        break;
    default:
        return 3;
    }
    return text[at] == 0 ? 0 : 4;
}
