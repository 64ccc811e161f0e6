/* A validator for JSON texts, one function per part of the grammar. */

extern char __VERIFIER_nondet_char(void);

#define LENGTH 7
#define DEPTH 3

enum verdict { OK, EMPTY, TOO_DEEP, BAD_VALUE, BAD_NUMBER, BAD_STRING, BAD_ESCAPE, BAD_LIST, BAD_OBJECT, TRAILING };

static char text[LENGTH + 1];
static int at;
static int numbers, strings, lists, objects;

static int is_digit(char c)
{
    return '0' <= c && c <= '9';
}

static int is_hex(char c)
{
    return is_digit(c) || ('a' <= c && c <= 'f') || ('A' <= c && c <= 'F');
}

static void blanks(void)
{
    while (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')
        at++;
}

static enum verdict word(const char *rest)
{
    for (; *rest != 0; rest++, at++)
        if (text[at] != *rest)
            return BAD_VALUE;
    return OK;
}

static enum verdict number(void)
{
    if (text[at] == '-')
        at++;
    if (text[at] == '0') {
        at++;
    } else {
        if (!is_digit(text[at]))
            return BAD_NUMBER;
        while (is_digit(text[at]))
            at++;
    }
    if (text[at] == '.') {
        at++;
        if (!is_digit(text[at]))
            return BAD_NUMBER;
        while (is_digit(text[at]))
            at++;
    }
    if (text[at] == 'e' || text[at] == 'E') {
        at++;
        if (text[at] == '+' || text[at] == '-')
            at++;
        if (!is_digit(text[at]))
            return BAD_NUMBER;
        while (is_digit(text[at]))
            at++;
    }
    numbers++;
    return OK;
}

static enum verdict string(void)
{
    at++;
    while (text[at] != '"') {
        if (text[at] == 0 || (unsigned char)text[at] < 32)
            return BAD_STRING;
        if (text[at] == '\\') {
            at++;
            switch (text[at]) {
            case '"':
            case '\\':
            case '/':
            case 'b':
            case 'f':
            case 'n':
            case 'r':
            case 't':
                break;
            case 'u':
                for (int i = 0; i < 4; i++) {
                    at++;
                    if (!is_hex(text[at]))
                        return BAD_ESCAPE;
                }
                break;
            default:
                return BAD_ESCAPE;
            }
        }
        at++;
    }
    at++;
    strings++;
    return OK;
}

static enum verdict value(int depth);

static enum verdict list(int depth)
{
    at++;
    blanks();
    if (text[at] == ']') {
        at++;
        lists++;
        return OK;
    }
    for (;;) {
        enum verdict found = value(depth + 1);
        if (found != OK)
            return found;
        blanks();
        if (text[at] == ']')
            break;
        if (text[at] != ',')
            return BAD_LIST;
        at++;
    }
    at++;
    lists++;
    return OK;
}

static enum verdict object(int depth)
{
    at++;
    blanks();
    if (text[at] == '}') {
        at++;
        objects++;
        return OK;
    }
    for (;;) {
        blanks();
        if (text[at] != '"')
            return BAD_OBJECT;
        enum verdict found = string();
        if (found != OK)
            return found;
        blanks();
        if (text[at] != ':')
            return BAD_OBJECT;
        at++;
        found = value(depth + 1);
        if (found != OK)
            return found;
        blanks();
        if (text[at] == '}')
            break;
        if (text[at] != ',')
            return BAD_OBJECT;
        at++;
    }
    at++;
    objects++;
    return OK;
}

static enum verdict value(int depth)
{
    if (DEPTH < depth)
        return TOO_DEEP;
    blanks();
    switch (text[at]) {
    case '{':
        return object(depth);
    case '[':
        return list(depth);
    case '"':
        return string();
    case 't':
        return word("true");
    case 'f':
        return word("false");
    case 'n':
        return word("null");
    default:
        return number();
    }
}

int main(void)
{
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    text[LENGTH] = 0;
    blanks();
    if (text[at] == 0)
        return EMPTY;
    enum verdict found = value(0);
    if (found != OK)
        return found;
    blanks();
    if (text[at] != 0)
        return TRAILING;
    return OK;
}
