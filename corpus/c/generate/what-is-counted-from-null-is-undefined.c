// entry: last
// `&v[1]` and `v + n` of a null pointer are undefined, whether or not anything is accessed.
int last(int *v, int n) {
    int *second = &v[1];
    if (v == 0) return 1;
    int *end = v + n;
    if (end == v && n != 0) return 2;
    return second == end;
}
