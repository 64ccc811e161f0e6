// `longjmp` goes back to an activation that still runs, through others; `setjmp` returns once more, never zero.
#include <setjmp.h>
#include <stdio.h>
static jmp_buf outer, inner;
static int depth(int n)
{
    if (n == 0)
        longjmp(outer, 7);
    printf("down %d\n", n);
    depth(n - 1);
    printf("never\n");
    return 0;
}
static int twice(void)
{
    volatile int turn = 0;
    int got = setjmp(inner);
    printf("turn %d got %d\n", turn, got);
    turn++;
    if (turn < 3)
        longjmp(inner, turn - 1);
    return turn;
}
int main(void)
{
    int first;
    switch (setjmp(outer)) {
    case 0:
        first = twice();
        printf("first %d\n", first);
        depth(3);
        return 1;
    case 7:
        printf("back\n");
        break;
    default:
        return 2;
    }
    int behind;
    behind = twice();
    return behind + 4;
}
