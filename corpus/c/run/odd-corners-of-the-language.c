#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <wchar.h>
int kr(a, b, p) int a; char b; char *p; { return a + b + *p; }
struct anon { int kind; union { int i; float f; struct { short lo, hi; }; }; int tail[]; };
struct flex { int n; char data[]; };
typedef struct list { struct list *next; int v; } list;
static int counter(void) { static int n = 5; return n++; }
static int (*pick(int w))(const char *, const char *) { return w ? strcmp : 0; }
static int sum2(int a[][3], int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s += a[i][j]; return s; }
struct big { int a[5]; double d; };
static struct big twice(struct big b) { for (int i = 0; i < 5; i++) b.a[i] *= 2; b.d *= 2; return b; }
#define TYPE(x) _Generic((x), int: "int", double: "double", char *: "string", default: "other")
#define SWAP(T, a, b) do { T t_ = a; a = b; b = t_; } while (0)
enum { N = sizeof(int) * 2, M = N > 4 ? 3 : 9 };
static void copy(char *to, const char *from, int count) {
  int n = (count + 3) / 4;
  switch (count % 4) {
  case 0: do { *to++ = *from++;
  case 3:      *to++ = *from++;
  case 2:      *to++ = *from++;
  case 1:      *to++ = *from++;
          } while (--n > 0);
  }
}
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int apply(int (*f)(const void *, const void *), int x, int y) { return f(&x, &y); }
int global_array[] = { [4] = 40, 50, [1] = 10, 20 };
const char *names[] = { "zero", "one" "-and-half", [3] = "three" };
struct nested { struct { int x, y; } p[2]; const char *s; } nest = { { { 1, 2 }, { .y = 4 } }, .s = "nest" };
struct nested flat = { 1, 2, 3, 4, "flat" };
int *const pointer = &global_array[2];
static long double unused_ld;
int main(int argc, char **argv) {
  printf("%d\n", kr(1, 'a', "b"));
  struct anon a = { .kind = 1, .i = 0x00020001 };
  printf("%d %d %zu %zu\n", a.lo, a.hi, sizeof a, offsetof(struct anon, hi));
  struct flex *f = malloc(sizeof *f + 4); f->n = 3; memcpy(f->data, "xyz", 4); printf("%s %d\n", f->data, f->n); free(f);
  list l3 = { 0, 3 }, l2 = { &l3, 2 }, l1 = { .v = 1, .next = &l2 };
  int s = 0; for (list *l = &l1; l; l = l->next) s += l->v; printf("%d\n", s);
  printf("%d %d %d\n", counter(), 0, 0); counter(); printf("%d\n", counter());
  printf("%d\n", pick(1)("a", "a"));
  int m[2][3] = { 1, 2, 3, { 4 } }; 
  (void)m;
  int m2[2][3] = { { 1, 2, 3 }, { 4 } }; printf("%d\n", sum2(m2, 2));
  struct big b = { { 1, 2, 3 }, 1.5 }; b = twice(twice(b)); printf("%d %d %g\n", b.a[2], b.a[4], b.d);
  printf("%s %s %s %s\n", TYPE(1), TYPE(1.0), TYPE((char *)0), TYPE(1L));
  int p = 1, q = 2; SWAP(int, p, q); printf("%d %d %d %d\n", p, q, N, M);
  char buf[16] = { 0 }; copy(buf, "duff's dev", 10); puts(buf);
  printf("%d %d\n", apply(cmp, 3, 9), (apply)(cmp, 9, 3));
  for (unsigned i = 0; i < sizeof global_array / sizeof *global_array; i++) printf("%d ", global_array[i]);
  printf("%s %s %d\n", names[1], names[3], names[2] == NULL);
  printf("%d %d %d %s %s %d\n", nest.p[0].y, nest.p[1].x, nest.p[1].y, nest.s, flat.s, flat.p[1].y);
  printf("%d %d\n", *pointer, pointer[2]);
  printf("%d %d %d\n", '\101', '\x41', L'\u00e9');
  wchar_t ws[] = L"wide"; printf("%zu %d\n", sizeof ws / sizeof *ws, ws[3]);
  unsigned char uc = 200; signed char sc = uc; short sh = 70000; printf("%d %d %d\n", uc + uc, sc, sh);
  printf("%u %lu %d\n", -1 > 0u, (unsigned long)-1 % 10, -7 / 2 * 2 + -7 % 2);
  printf("%d\n", (int)(unsigned char)-1 >> 4);
  long long big = LLONG_MAX; printf("%lld %llx\n", big, (unsigned long long)big << 1);
  int i = 0; int r = i++ + 10; r += i ? i, 5 : 7; printf("%d %d\n", i, r);
  int x = 3; x <<= 2; x |= 1; x ^= 5; x %= 7; printf("%d\n", x);
  goto middle;
  while (x < 10) { x += 100;
middle: x += 1; if (x > 6) break; }
  printf("%d\n", x);
  int *ip = (int[]){ 7, 8, 9 }; printf("%d %d\n", ip[2], *(&(struct big){ .a = { [3] = 5 } }.a[3]));
  printf("%d\n", ({ int t = 0; for (int k = 0; k < 4; k++) { if (k == 2) continue; t += k; } t; }));
  uint8_t w8 = 255; w8++; uint16_t w16 = 65535; w16 += 2; int8_t s8 = 127; s8++; printf("%d %d %d\n", w8, w16, s8);
  float fl = 16777216.0f; fl += 1.0f; printf("%.1f %.10g\n", fl, 0.1f + 0.2);
  double dz = 0.0; printf("%g %g %d\n", 1 / dz, -1 / dz, dz / dz != dz / dz);
  printf("%d %d\n", (int)2.9, (int)-2.9); printf("%.0f %.0f %.3e\n", 0.5, 1.5, 12345.678);
  const volatile int cv = 5; printf("%d\n", cv + (cv ? 1 : 2));
  char *str = "a\0b"; printf("%zu %zu\n", strlen(str), sizeof "a\0b");
  printf("%5d|%-5d|%05d|%+d|% d|%x|%X|%#x|%o|%c|%5.1f|%s\n", 42, 42, 42, 42, 42, 255, 255, 255, 8, 'q', 3.14159, "end");
  printf("%.*s|%*d|%hhd|%hd|%ld|%zu|%p\n", 2, "abcdef", 4, 7, 300, 70000, 1L << 33, sizeof(int), (void *)0);
  switch (x) { int unreachable; case 1: case 2: puts("low"); break; default: puts("default"); case 100: puts("fall"); }
  for (int k = 0, j = 10; k < j; k += 3, j--) printf("%d-%d ", k, j); puts("");
  int arr[5] = { 5, 3, 4, 1, 2 };
  for (int k = 0; k < 4; k++) for (int j = 0; j < 4 - k; j++) if (arr[j] > arr[j + 1]) { arr[j] ^= arr[j + 1]; arr[j + 1] ^= arr[j]; arr[j] ^= arr[j + 1]; }
  for (int k = 0; k < 5; k++) printf("%d", arr[k]); puts("");
  int (*fp)(const void *, const void *) = &cmp; printf("%d %d\n", (*fp)(&arr[0], &arr[1]), (***fp)(&arr[4], &arr[1]));
  char (*pa)[4] = (char (*)[4])"abcdefg"; printf("%c %zu\n", pa[1][0], sizeof *pa);
  unsigned bits = 0; for (unsigned v = 0xF0F0; v; v &= v - 1) bits++; printf("%u\n", bits);
  struct { unsigned a : 1; int b : 2; unsigned c : 31; } bf = { 1, -2, 5 }; bf.b++; bf.c--; printf("%d %d %u\n", bf.a, bf.b, bf.c);
  return argc > 100;
}
