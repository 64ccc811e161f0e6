// Arrays of variable length, memory from alloca and further arguments.
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);
extern void *alloca(unsigned long);

static int most(int count, ...)
{
    va_list list;
    int best = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        int one = va_arg(list, int);
        if (one > best)
            best = one;
    }
    va_end(list);
    return best;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4)
        return 0;
    int numbers[n];
    char *marks = alloca(n);
    for (int i = 0; i < n; i++) {
        numbers[i] = __VERIFIER_nondet_int();
        marks[i] = numbers[i] == 17;
    }
    if (sizeof numbers == 12 && marks[2])
        return 1;
    if (most(3, numbers[0], n, 2) == 99)
        return 2;
    return 3;
}
