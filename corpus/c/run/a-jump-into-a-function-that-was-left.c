// Nobody may jump to where a function was that has returned.
#include <setjmp.h>
static jmp_buf place;
static int save(void) { return setjmp(place); }
int main(void)
{
    if (save() != 0)
        return 3;
    longjmp(place, 1);
}
