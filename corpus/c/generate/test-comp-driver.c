// A driver with states in global variables, gotos into blocks and a switch with a label before a case.
extern int __VERIFIER_nondet_int(void); extern void abort(void); void reach_error(void) { __builtin_abort(); }
int s, UNLOADED, NP, DC, SKIP1, MPR1, IPC, pended, compRegistered, lowerDriverReturn, compFptr, customIrp, setEventCalled;
void stub(void) { s = NP; customIrp = setEventCalled = 0; }
int KbFilter_CreateClose(void) { int status, t = __VERIFIER_nondet_int(); if (t == 0) { status = 0; if (!__VERIFIER_nondet_int()) status = -1073741436; } else if (t == 2) status = -5; else status = 0; if (status) { if (s == NP) s = DC; return status; } if (s == NP) s = SKIP1; else { reach_error(); } return 3; }
int KbFilter_Pnp(void) { switch (__VERIFIER_nondet_int()) { case 0: { s = MPR1; if (__VERIFIER_nondet_int()) goto L; lowerDriverReturn = 259; pended = 1; break; } case 23: case 2: s = SKIP1; break; L: case 7: if (s != MPR1) { s = DC; lowerDriverReturn = -1; } else s = IPC; break; default: goto out; } return lowerDriverReturn;
 out: return -1; }
int main(void) {
  int status, irp = __VERIFIER_nondet_int(), choice = __VERIFIER_nondet_int();
  UNLOADED = 0; NP = 1; DC = 2; SKIP1 = 3; MPR1 = 4; IPC = 5; s = UNLOADED; status = irp;
  if (status >= 0) { s = NP; stub(); if (choice == 3) status = KbFilter_CreateClose(); else if (choice == 8) status = KbFilter_Pnp(); else return 0; }
  if (pended == 1) { if (s == NP) s = NP; else goto _L; } else { _L: if (pended == 1) { if (s == MPR1) s = MPR1; else goto L2; } else { L2: if (s != UNLOADED) { if (status != -1) { if (s != SKIP1) { if (s != IPC) { if (s != DC) { reach_error(); } else goto L4; } else goto L4; } else { L4: if (pended == 1) { if (status != 259) { reach_error(); } } else if (s == DC) { if (status == 259) reach_error(); } else if (status != lowerDriverReturn) reach_error(); } } } } }
  return status;
}
