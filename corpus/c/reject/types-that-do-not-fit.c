struct s { int a; } s;
const int fixed = 3;
int *p;
void nothing(void);
int f(int x) {
  x = s;
  fixed = 4;
  x = *x;
  x();
  f(1, 2);
  x = nothing();
  p = p * 2;
  x.a = 1;
  return 1.5 % 2;
}
