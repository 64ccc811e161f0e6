// What depends on the value is open, never covered; what does not is covered by running.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 0, z = 7;
    __asm__ volatile("" ::: "memory");
    __asm__("cpuid" : "=a"(y) : "0"(x));
    __asm__("" : "+r"(z));
    if (z == 8)
        return 3;
    if (x == 41)
        return 1;
    if (y == 5)
        return 2;
    return 0;
}
