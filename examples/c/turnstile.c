/* A state machine driven by its environment: each call of next_event() is an input. */
enum state { LOCKED, UNLOCKED, ALARM };
enum event { COIN, PUSH, RESET, KICK };

int next_event(void);

static enum state step(enum state state, int event, int *coins) {
  switch (state) {
  case LOCKED:
    if (event == COIN) { ++*coins; return UNLOCKED; }
    return event == KICK ? ALARM : LOCKED;
  case UNLOCKED:
    if (event == PUSH) return LOCKED;
    if (event == COIN && *coins < 3) ++*coins;
    return UNLOCKED;
  case ALARM:
    return event == RESET ? LOCKED : ALARM;
  }
  return state;
}

int main(void) {
  enum state state = LOCKED;
  int coins = 0;
  for (int round = 0; round < 4; round++)
    state = step(state, next_event(), &coins);
  return state == ALARM ? 10 + coins : coins;
}
