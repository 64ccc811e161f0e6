// A table of results from standard input: a name of up to two letters and a number in each line, ranked by the number.
// Everything that is read and the order of the table go through the C library.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct result {
    char name[3];
    int points;
};

static int better(const void *left, const void *right)
{
    const struct result *one = left, *other = right;
    if (one->points != other->points)
        return one->points < other->points ? 1 : -1;
    return strcmp(one->name, other->name);
}

int main(void)
{
    struct result table[2] = { { "", 0 } };
    char line[8];
    int count = 0;
    while (count < 2 && fgets(line, sizeof line, stdin)) {
        if (line[0] == '#')
            continue;
        if (sscanf(line, "%2s %d", table[count].name, &table[count].points) != 2)
            return 2;
        if (table[count].points < 0)
            return 3;
        count++;
    }
    if (count == 0)
        return 1;
    qsort(table, count, sizeof table[0], better);
    for (int i = 0; i < count; i++)
        printf("%d %s\n", i + 1, table[i].name);
    return 0;
}
