// A handshake as a loop over numbered states.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void reach_error(void) { }
int ssl3_connect(int initial_state) {
  int s__state = initial_state, s__hit = __VERIFIER_nondet_int(), blastFlag = 0, s__bbio = 0, tmp, ret = -1;
  int num1, state, skip = 0, s__shutdown = __VERIFIER_nondet_int(); unsigned long l = __VERIFIER_nondet_ulong();
  if (s__state == 12292) goto switch_1_12292;
  while (1) {
  while_0_continue: ;
    state = s__state;
    if (s__state == 12292) { switch_1_12292: 
      if (s__shutdown) s__shutdown = 0;
      s__state = 4368; goto switch_1_break; }
    else if (s__state == 4368) {
      if (blastFlag == 0) blastFlag = 1;
      ret = __VERIFIER_nondet_int();
      if (ret <= 0) goto end;
      s__state = 4384; if (s__bbio == 1) goto end;
      goto switch_1_break;
    } else if (s__state == 4384) {
      if (blastFlag == 1) blastFlag = 2; else if (blastFlag == 4) blastFlag = 5;
      ret = __VERIFIER_nondet_int(); if (ret <= 0) goto end;
      if (s__hit) s__state = 4560; else s__state = 4400;
      goto switch_1_break;
    } else if (s__state == 4400) {
      if (blastFlag == 2) blastFlag = 3;
      if ((l + 256UL) & 0x40) skip = 1; else { ret = __VERIFIER_nondet_int(); if (ret <= 0) goto end; }
      s__state = 4416; goto switch_1_break;
    } else if (s__state == 4416) {
      if (blastFlag == 3) blastFlag = 4;
      num1 = __VERIFIER_nondet_int();
      if (num1 > 0) { tmp = __VERIFIER_nondet_int(); num1 = tmp; if (num1 <= 0) { ret = -1; goto end; } }
      s__state = 4560; goto switch_1_break;
    } else if (s__state == 4560) {
      if (blastFlag == 5) goto ERROR;
      if (s__hit) s__state = 3; else s__state = 4384;
      if (blastFlag == 4) s__hit = 1;
      goto switch_1_break;
    } else if (s__state == 3) { ret = 1; goto end; }
    else { ret = -1; goto end; }
  switch_1_break: ;
    if (skip == 0) { if (s__state != state && __VERIFIER_nondet_int()) { tmp = s__state; s__state = state; s__state = tmp; } }
    skip = 0;
  }
end: return ret;
ERROR: reach_error(); abort(); return -1;
}
int main(void) { return ssl3_connect(12292) ; }
