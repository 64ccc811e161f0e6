/* Four ways to sort the same numbers, and a search in the result. */

extern int __VERIFIER_nondet_int(void);

#define SIZE 5

static void insertion(int *a, int count)
{
    for (int i = 1; i < count; i++) {
        int moved = a[i];
        int at = i;
        while (0 < at && moved < a[at - 1]) {
            a[at] = a[at - 1];
            at--;
        }
        a[at] = moved;
    }
}

static void sift(int *a, int root, int count)
{
    int moved = a[root];
    for (;;) {
        int child = 2 * root + 1;
        if (count <= child)
            break;
        if (child + 1 < count && a[child] < a[child + 1])
            child++;
        if (a[child] <= moved)
            break;
        a[root] = a[child];
        root = child;
    }
    a[root] = moved;
}

static void heap(int *a, int count)
{
    for (int root = count / 2 - 1; 0 <= root; root--)
        sift(a, root, count);
    for (int last = count - 1; 0 < last; last--) {
        int top = a[0];
        a[0] = a[last];
        a[last] = top;
        sift(a, 0, last);
    }
}

static void merge(int *a, int *spare, int count)
{
    for (int width = 1; width < count; width *= 2) {
        for (int left = 0; left < count; left += 2 * width) {
            int middle = left + width < count ? left + width : count;
            int right = left + 2 * width < count ? left + 2 * width : count;
            int i = left, j = middle;
            for (int k = left; k < right; k++) {
                if (i < middle && (right <= j || a[i] <= a[j]))
                    spare[k] = a[i++];
                else
                    spare[k] = a[j++];
            }
        }
        for (int k = 0; k < count; k++)
            a[k] = spare[k];
    }
}

static void shell(int *a, int count)
{
    for (int gap = count / 2; 0 < gap; gap /= 2) {
        for (int i = gap; i < count; i++) {
            int moved = a[i];
            int j = i;
            while (gap <= j && moved < a[j - gap]) {
                a[j] = a[j - gap];
                j -= gap;
            }
            a[j] = moved;
        }
    }
}

static int search(const int *a, int count, int wanted)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && a[low] == wanted ? low : -1;
}

static int sorted(const int *a, int count)
{
    for (int i = 1; i < count; i++)
        if (a[i] < a[i - 1])
            return 0;
    return 1;
}

int main(void)
{
    int a[SIZE], spare[SIZE];
    for (int i = 0; i < SIZE; i++)
        a[i] = __VERIFIER_nondet_int();
    int way = __VERIFIER_nondet_int();
    switch (way) {
    case 0:
        insertion(a, SIZE);
        break;
    case 1:
        heap(a, SIZE);
        break;
    case 2:
        merge(a, spare, SIZE);
        break;
    case 3:
        shell(a, SIZE);
        break;
    default:
        break;
    }
    if (!sorted(a, SIZE))
        return 2;
    int wanted = __VERIFIER_nondet_int();
    return search(a, SIZE, wanted) < 0;
}
