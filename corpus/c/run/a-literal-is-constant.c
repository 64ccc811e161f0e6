int main(void) {
  char *s = "abc";
  s[0] = 120;
  return 0;
}
