// property: branches
// Some floating numbers differ from themselves; none squares to exactly two.
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (x != x)
        return 1;
    if (x * x == 2.25f)
        return 2;
    if (x + 1.0f == x && x < 1.0e10f && x > 0.0f)
        return 3;
    if (x * x == 2.0f)
        return 4;
    return 0;
}
