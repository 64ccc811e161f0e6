// Standard input is read through the library; its bytes are inputs.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8];
    int number, c;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    if (strncmp(line, "#!", 2) == 0)
        return 2;
    char *value = strchr(line, '=');
    if (value && strspn(value + 1, "01") == 3)
        return 3;
    c = fgetc(stdin);
    if (c == EOF)
        return 4;
    if (scanf("%d", &number) != 1)
        return 5;
    return number == -42 ? 6 : 0;
}
