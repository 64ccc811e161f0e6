int f(int x) { return f(x + 1); }
int main(void) { return f(0); }
