#pragma pack(push, 1)
struct packed { unsigned a : 3; unsigned b : 13; unsigned c : 20; char d; };
#pragma pack(pop)
#pragma pack(push, 2)
struct halves { char a; unsigned b : 20; unsigned c : 20; };
#pragma pack(pop)
enum { TOP = 1 << 31, LOW = 1 << 3, BOTH = TOP | LOW };
struct flexible { int n; int items[]; };
struct flexible list = { 2, { 5, 6 } };
__CPROVER_bool flag = 7;
unsigned __int64 wide = ~0;
__declspec(align(16)) static __int16 narrow = -3;
int __cdecl plus(int x) { return x + 1; }
int (__stdcall *pointer)(int) = plus;
int printf(const char *, ...);
int _cdecl main(void)
{
    struct packed p = { 5, 4097, 77777, 'x' };
    struct halves h = { 1, 99999, 88888 };
    printf("%d %d %d %d %c\n", (int)sizeof p, p.a, p.b, p.c, p.d);
    printf("%d %d %d\n", (int)sizeof h, h.b, h.c);
    printf("%d %d\n", TOP < 0, BOTH == TOP + LOW);
    printf("%d %d %d\n", (int)sizeof list, list.items[0], list.items[1]);
    printf("%d %d %d\n", (int)flag, wide > 0xffffffffu, narrow);
    return pointer(4);
}
