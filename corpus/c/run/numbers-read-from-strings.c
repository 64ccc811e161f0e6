#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
int main(void) {
  char *end;
  printf("%ld ", strtol("  -42abc", &end, 10)); printf("[%s]\n", end);
  printf("%ld %ld %ld\n", strtol("0x1f", NULL, 0), strtol("017", NULL, 0), strtol("zz", NULL, 36));
  printf("%ld ", strtol("none", &end, 10)); printf("[%s]\n", end);
  errno = 0;
  printf("%ld ", strtol("99999999999999999999", NULL, 10)); printf("%d\n", errno);
  printf("%lu %lu\n", strtoul("18446744073709551615", NULL, 10), strtoul("-1", NULL, 10));
  return 0;
}
