// It has a body, and returns although it says that it does not.
static int x;
__attribute__((noreturn)) static void leave(void) { x = 1; }
int main(void) {
  leave();
  return x;
}
