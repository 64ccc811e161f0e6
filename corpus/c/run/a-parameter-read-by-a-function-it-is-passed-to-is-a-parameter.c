// entry: f
// input: x = 7
// The input is asked for where a called function reads it through a pointer: it is a parameter of the run all the same.
static int read(const int *p) { return *p; }
int f(int x) { return read(&x) + 1; }
