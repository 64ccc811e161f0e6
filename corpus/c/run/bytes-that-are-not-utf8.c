/* GrÃ¼ÃŸe, einmal in Latin-1: Grüße */
int printf(const char *, ...);
int main(void)
{
    const char *text = "üß";
    printf("%d %d %d\n", (int)sizeof "üß", text[0] & 255, text[1] & 255);
    return 0;
}
