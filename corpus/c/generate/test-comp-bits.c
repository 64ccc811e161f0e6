// property: error-call
// The number of ones of a byte in two ways: they never differ.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void)
{
    unsigned char byte = __VERIFIER_nondet_uchar();
    int slow = 0;
    for (int i = 0; i < 8; i++)
        if (byte >> i & 1)
            slow++;
    unsigned fast = byte;
    fast = (fast & 0x55) + (fast >> 1 & 0x55);
    fast = (fast & 0x33) + (fast >> 2 & 0x33);
    fast = (fast & 0x0F) + (fast >> 4);
    if (slow != (int)fast)
        reach_error();
    return 0;
}
