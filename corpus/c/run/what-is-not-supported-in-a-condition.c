#include <setjmp.h>
static jmp_buf place;
int printf(const char *, ...);
int main(void)
{
    printf("before\n");
    if (setjmp(place) == 0)
        printf("first\n");
    return 1;
}
