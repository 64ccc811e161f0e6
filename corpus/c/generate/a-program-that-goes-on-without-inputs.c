// entry: spin
// Nothing is asked for in the loop: runs are given up after some steps, and show what they met.
int spin(int start)
{
    unsigned x = start;
    for (;;) {
        if (x % 1000 == 17)
            x += 3;
        x = x * 5 + 1;
        if (x == 0x80000001u && start == 99)
            return 1;
    }
}
