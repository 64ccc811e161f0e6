int x;
double x;
int f(int a) { int a; return a; }
int g(int y) { switch (y) { case 1: case 1: return 0; } return 1; }
enum e { A, A };
