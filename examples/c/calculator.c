/* A recursive-descent parser for sums and products of digits, such as 2*(3+4). */
static const char *at;
static int failed;

static int expression(void);

static int factor(void) {
  if (*at >= '0' && *at <= '9')
    return *at++ - '0';
  if (*at == '(') {
    at++;
    int value = expression();
    if (*at != ')')
      failed = 1;
    else
      at++;
    return value;
  }
  failed = 1;
  return 0;
}

static int term(void) {
  int value = factor();
  while (*at == '*' && !failed) {
    at++;
    value *= factor();
  }
  return value;
}

static int expression(void) {
  int value = term();
  while ((*at == '+' || *at == '-') && !failed) {
    char sign = *at++;
    int right = term();
    value = sign == '+' ? value + right : value - right;
  }
  return value;
}

int calculate(const char text[4]) {
  char copy[5];
  for (int i = 0; i < 4; i++)
    copy[i] = text[i];
  copy[4] = 0;
  at = copy;
  failed = 0;
  int value = expression();
  return failed || *at ? -1 : value;
}
