// A switch with three cases has six condition edges and four outcomes.
int kind(int c) {
  switch (c) {
  case 'a': return 1;
  case 'b':
  case 'x' ... 'z': return 2;
  default: return 3;
  }
}
