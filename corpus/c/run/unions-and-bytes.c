#include <stdio.h>
#include <stdint.h>
#include <string.h>
union view { float f; uint32_t bits; unsigned char bytes[4]; };
struct packed { char tag; int value; } __attribute__((packed));
int main(void) {
  union view v = { .f = -2.5f };
  printf("%08x %02x\n", v.bits, v.bytes[3]);
  struct packed p = { 1, 0x01020304 };
  unsigned char raw[sizeof p];
  memcpy(raw, &p, sizeof p);
  printf("%zu %d %d\n", sizeof p, raw[1], raw[4]);
  void *keep[2] = { &p, raw };
  struct packed *back = keep[0];
  uintptr_t number = (uintptr_t)back;
  printf("%d\n", ((struct packed *)number)->value == p.value);
  return 0;
}
