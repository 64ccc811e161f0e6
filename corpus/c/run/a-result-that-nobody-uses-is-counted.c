// input: sensor() = 1
// input: sensor() = 2
// The first result is dropped, the second is used.
extern int sensor(void);
int main(void) {
  sensor();
  return sensor();
}
