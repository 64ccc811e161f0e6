// property: error-call
// Only one text leads to the error.
extern char __VERIFIER_nondet_char(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void)
{
    const char *wanted = "sesame";
    int same = 1;
    for (int i = 0; i < 6; i++)
        if (__VERIFIER_nondet_char() != wanted[i])
            same = 0;
    if (same)
        reach_error();
    return 0;
}
