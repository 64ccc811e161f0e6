// The program of the public tool's unit tests: thirteen edges there, twelve and the inserted ones here.
int main(int argc, char *argv[]) {
  int x = 0;
L0a: if (argc > 2) {
    if (argc < 27)
L1:   --x;
    else
      ++x;
  }
L2:
  x--;
  x--;
  x--;
  x--;
  return 0;
}
