struct s { int a; };
int f(struct s *p) {
  p->b = 1;
  return missing;
}
int g(void) { goto nowhere; }
int h(void) { break; }
int i(int x) { case 3: return x; }
