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
    struct node *list = NULL;
    int count = __VERIFIER_nondet_int();
    if (count < 0 || 4 < count)
        return -1;
    for (int i = 0; i < count; i++) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            return -2;
        node->value = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    int rising = 1;
    for (struct node *node = list; node != NULL && node->next != NULL; node = node->next)
        if (node->value <= node->next->value)
            rising = 0;
    if (count == 4 && rising && list->value == 9)
        return 1;
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
