// property: branches
// The second largest of four numbers; an assumption keeps them apart.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int a[4];
    for (int i = 0; i < 4; i++) {
        a[i] = __VERIFIER_nondet_int();
        for (int j = 0; j < i; j++)
            __VERIFIER_assume(a[i] != a[j]);
    }
    int first = a[0], second = a[1];
    if (first < second) {
        first = a[1];
        second = a[0];
    }
    for (int i = 2; i < 4; i++) {
        if (first < a[i]) {
            second = first;
            first = a[i];
        } else if (second < a[i]) {
            second = a[i];
        }
    }
    if (first == second)
        return 1;
    return first - second == 1000000;
}
