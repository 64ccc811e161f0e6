// input: sensor() = 7
// input: sensor() = -1
// input: limit = 3
// input: __VERIFIER_nondet_uchar() = 200
int sensor(void);
extern int limit;
int main(void) {
  int a = sensor(), b = sensor();
  return a + b + limit + __VERIFIER_nondet_uchar();
}
