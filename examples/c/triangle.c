/* The classic of testing: what kind of triangle do three sides make? */
enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL };

enum kind triangle(int a, int b, int c) {
  if (a <= 0 || b <= 0 || c <= 0)
    return NONE;
  if (a >= b + c || b >= a + c || c >= a + b)
    return NONE;
  if (a == b && b == c)
    return EQUILATERAL;
  if (a == b || b == c || a == c)
    return ISOSCELES;
  return SCALENE;
}
