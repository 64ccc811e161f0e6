// steps: 1000
int main(void) {
  for (;;)
    ;
}
