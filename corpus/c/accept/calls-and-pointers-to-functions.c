typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static double other(double x) { return x; }
static operation table[2] = { add, sub };
struct pair { int a, b; };
struct pair make(int a) { struct pair p = { a, .b = 2 }; return p; }
int main(int argc, char **argv) {
  double (*unused)(double) = other;
  return table[argc & 1](argc, make(4).b) + (int)unused(1.0) + ({ int t = argc; t * t; });
}
