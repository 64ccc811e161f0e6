int printf(const char *, ...);
int main(void)
{
    printf("before\n");
    if (&&there != 0)
        printf("first\n");
there:
    return 1;
}
