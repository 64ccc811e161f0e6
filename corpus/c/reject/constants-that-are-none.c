int n;
int a[n];
int b = n + 1;
enum { E = 1 / 0 };
_Static_assert(sizeof(int) == 3, "no");
int f(int x) { switch (x) { case 1: case x: return 1; } return 0; }
struct s { int w : 40; };
int c[-1];
