// The callee is never called with 5, whatever is declared behind the call.
int g;
void callee(int c)
{
    if (c == 5)
        g = 1;
}
int main(void)
{
    callee(3);
    int k;
    k = g;
    return k;
}
