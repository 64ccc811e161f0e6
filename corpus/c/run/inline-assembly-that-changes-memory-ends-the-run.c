// Anything may be different behind it.
int main(void) {
  int x = 1;
  __asm__ volatile("rep stosb" : : "D"(&x) : "memory");
  return x;
}
