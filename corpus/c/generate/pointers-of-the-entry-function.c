// entry: insert
// criterion: branch
// Structures are built for pointers, a few deep; null is an answer too.
struct tree {
    int key;
    struct tree *left, *right;
};

int insert(const struct tree *tree, const int *key)
{
    if (key == 0)
        return -1;
    while (tree != 0) {
        if (tree->key == *key)
            return 1;
        tree = *key < tree->key ? tree->left : tree->right;
    }
    return 0;
}
