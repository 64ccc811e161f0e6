struct bits { unsigned low : 3; int high : 7; unsigned char rest[2]; };
double mix(char c, unsigned u, long l, float f, struct bits *b, int *p) {
  short s = c + u;
  _Bool truth = p;
  b->high += s << 2;
  l = u < c;
  p[b->low] = *(p + 1) - (p - &p[2]);
  return f * s + l / truth;
}
