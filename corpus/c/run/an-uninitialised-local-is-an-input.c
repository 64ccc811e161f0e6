// input: x = 42
// input: t.b = -3
struct two { int a, b; };
int main(void) {
  int x;
  struct two t;
  int n = 0;
  for (int i = 0; i < 2; i++) { int again; n += again; }
  return x + t.b + n;
}
