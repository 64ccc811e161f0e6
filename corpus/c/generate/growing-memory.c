// Memory that grows: realloc keeps what was there, and copies of unknown length.
#include <stdlib.h>
#include <string.h>
int input(void);
int main(void)
{
    int count = input();
    if (count < 1 || count > 6) return 0;
    unsigned char *all = malloc(2);
    if (!all) return 1;
    size_t room = 2, used = 0;
    for (int i = 0; i < count; i++) {
        if (used == room) {
            unsigned char *more = realloc(all, room + 2);
            if (!more) { free(all); return 2; }
            all = more;
            room += 2;
        }
        all[used++] = (unsigned char)input();
    }
    int sum = 0;
    for (size_t i = 0; i < used; i++) sum += all[i];
    if (sum == 700) sum = 1;
    unsigned char copy[6] = {1, 2, 3, 4, 5, 6};
    memcpy(copy, all, used);
    if (copy[4] == 77 && copy[5] == 6) sum = 2;
    size_t some = (size_t)input();
    if (some < 5) {
        memset(copy + 1, 9, some);
        if (copy[2] == 9 && copy[3] != 9) sum = 3;
        memmove(copy + 1, copy, some);
        if (copy[5] == 9) sum = 4;
    }
    free(all);
    if (used > 6) return 9;
    return sum;
}
