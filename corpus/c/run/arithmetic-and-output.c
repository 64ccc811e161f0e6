#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <assert.h>
struct point { int x, y; struct { unsigned a:3; int b:5; unsigned long c:40; } bits; char name[8]; };
typedef int (*binop)(int,int);
static int add(int a,int b){return a+b;}
static int mul(int a,int b){return a*b;}
static binop table[] = { add, mul, [3] = add };
static struct point pts[] = { {1,2,{3,-4,5},"ab"}, [2] = {.y=7,.x=6,.name="hello"} };
int fact(int n){ return n<=1?1:n*fact(n-1); }
int sum(int n, ...){ va_list ap; va_start(ap,n); int s=0; for(int i=0;i<n;i++) s+=va_arg(ap,int); va_end(ap); return s; }
struct point mk(int x,int y){ struct point p = {x,y}; strcpy(p.name,"mk"); return p; }
union u { int i; float f; unsigned char b[4]; };
enum color { RED, GREEN=5, BLUE };
int main(void){
  int a[10]; for(int i=0;i<10;i++) a[i]=i*i;
  int *p=a+3; printf("%d %d %ld\n",*p,p[1],(long)(p-a));
  printf("%d %d\n",table[0](3,4),table[1](3,4));
  printf("%d %d %s %d %d %lu\n",pts[0].bits.a,pts[0].bits.b,pts[2].name,pts[2].x,pts[1].x,(unsigned long)pts[0].bits.c);
  printf("%d %zu %zu\n",fact(10),sizeof(struct point),sizeof pts);
  printf("%d\n",sum(4,1,2,3,4));
  struct point q=mk(8,9); printf("%s %d\n",q.name,q.y);
  union u v; v.f=1.5f; printf("%x %g %d\n",v.i,v.f,v.b[3]);
  char *s=malloc(40); sprintf(s,"%05d|%-5s|%+.2e",42,"ab",3.14159); puts(s); free(s);
  unsigned char c=250; c+=10; printf("%d\n",c);
  signed char sc=(signed char)200; printf("%d %u\n",sc,(unsigned)sc);
  switch(BLUE){case 6: printf("six\n"); break; default: printf("other\n");}
  int x=5; x += x++ ? 1 : 2; 
  printf("%d\n", (x>3 && x<100) || fact(3)==6);
  long long big=1LL<<40; printf("%lld %llu\n",big,(unsigned long long)-1);
  for(int i=0;;i++){ if(i==3) continue; if(i>5) break; printf("%d,",i);} printf("\n");
  int n=0; do { n++; } while(n<7); printf("%d\n",n);
  goto end; printf("never\n");
end:
  printf("%s %c %%\n", __func__, 'z');
  assert(n==7);
  int m[3][4]={{1,2,3,4},{5,6,7,8}}; int t=0; for(int i=0;i<3;i++)for(int j=0;j<4;j++)t+=m[i][j]; printf("%d\n",t);
  const char *str="hello"; int len=0; while(*str++) len++; printf("%d\n",len);
  printf("%.3f %g %g %g\n", 1.0/3, 1e10, 1e-5, 100000.0);
  double d=2.5; int di=d; float f=di/2.0f; printf("%d %f\n",di,f);
  printf("%d\n", ({int z=3; z*z;}));
  return n;
}
