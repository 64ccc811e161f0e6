// property: branches
// A list on the heap, as long as the world wants it, up to four.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = 0;
    int count = __VERIFIER_nondet_int();
    if (count < 0 || 4 < count)
        return -1;
    for (int i = 0; i < count; i++) {
        struct node *node = malloc(sizeof *node);
        if (node == 0)
            return -2;
        node->value = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    int rising = 1;
    for (struct node *node = list; node != 0 && node->next != 0; node = node->next)
        if (node->value <= node->next->value)
            rising = 0;
    if (count == 4 && rising && list->value == 9)
        return 1;
    while (list != 0) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
