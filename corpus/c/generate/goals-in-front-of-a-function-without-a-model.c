// entry: f
// What a run did before it comes to `cbrt` counts; what follows is not known.
double cbrt(double);
int f(unsigned x, double d) {
    if (x * 2654435761u == 123456789u) {
        if (cbrt(d) > 2) return 1;
        return 2;
    }
    return 0;
}
