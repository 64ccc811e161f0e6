/* Evaluates sums, products, shifts and comparisons by precedence climbing, with every error told apart. */

extern unsigned char __VERIFIER_nondet_uchar(void);

#define LENGTH 7

enum token { END, NUMBER, PLUS, MINUS, TIMES, SLASH, PERCENT, LESS, EQUAL, BANG, OPEN, CLOSE, WRONG };
enum failure { NONE, UNEXPECTED, UNCLOSED, BY_ZERO, TOO_LARGE, TOO_DEEP };

struct reader {
    const unsigned char *text;
    int at;
    enum token token;
    int number;
    enum failure failure;
};

static void next(struct reader *reader)
{
    while (reader->text[reader->at] == ' ')
        reader->at++;
    unsigned char c = reader->text[reader->at];
    if (c == 0) {
        reader->token = END;
        return;
    }
    if ('0' <= c && c <= '9') {
        int value = 0;
        while ('0' <= reader->text[reader->at] && reader->text[reader->at] <= '9') {
            value = 10 * value + (reader->text[reader->at] - '0');
            if (999 < value) {
                reader->failure = TOO_LARGE;
                value = 999;
            }
            reader->at++;
        }
        reader->token = NUMBER;
        reader->number = value;
        return;
    }
    reader->at++;
    switch (c) {
    case '+':
        reader->token = PLUS;
        break;
    case '-':
        reader->token = MINUS;
        break;
    case '*':
        reader->token = TIMES;
        break;
    case '/':
        reader->token = SLASH;
        break;
    case '%':
        reader->token = PERCENT;
        break;
    case '<':
        reader->token = LESS;
        break;
    case '=':
        reader->token = EQUAL;
        break;
    case '!':
        reader->token = BANG;
        break;
    case '(':
        reader->token = OPEN;
        break;
    case ')':
        reader->token = CLOSE;
        break;
    default:
        reader->token = WRONG;
        break;
    }
}

static int precedence(enum token token)
{
    switch (token) {
    case EQUAL:
        return 1;
    case LESS:
        return 2;
    case PLUS:
    case MINUS:
        return 3;
    case TIMES:
    case SLASH:
    case PERCENT:
        return 4;
    default:
        return 0;
    }
}

static int fail(struct reader *reader, enum failure failure)
{
    if (reader->failure == NONE)
        reader->failure = failure;
    return 0;
}

static int climb(struct reader *reader, int least, int depth);

static int primary(struct reader *reader, int depth)
{
    int value;
    switch (reader->token) {
    case NUMBER:
        value = reader->number;
        next(reader);
        return value;
    case MINUS:
        next(reader);
        return -primary(reader, depth);
    case BANG:
        next(reader);
        return !primary(reader, depth);
    case OPEN:
        next(reader);
        value = climb(reader, 1, depth + 1);
        if (reader->token != CLOSE)
            return fail(reader, UNCLOSED);
        next(reader);
        return value;
    default:
        return fail(reader, UNEXPECTED);
    }
}

static int apply(struct reader *reader, enum token operation, int left, int right)
{
    int result = 0;
    switch (operation) {
    case EQUAL:
        return left == right;
    case LESS:
        return left < right;
    case PLUS:
        result = left + right;
        break;
    case MINUS:
        result = left - right;
        break;
    case TIMES:
        result = left * right;
        break;
    case SLASH:
    case PERCENT:
        if (right == 0)
            return fail(reader, BY_ZERO);
        result = operation == SLASH ? left / right : left % right;
        break;
    default:
        return fail(reader, UNEXPECTED);
    }
    if (result < -9999 || 9999 < result)
        return fail(reader, TOO_LARGE);
    return result;
}

static int climb(struct reader *reader, int least, int depth)
{
    if (2 < depth)
        return fail(reader, TOO_DEEP);
    int left = primary(reader, depth);
    while (reader->failure == NONE && least <= precedence(reader->token)) {
        enum token operation = reader->token;
        next(reader);
        int right = climb(reader, precedence(operation) + 1, depth);
        left = apply(reader, operation, left, right);
    }
    return left;
}

int main(void)
{
    unsigned char text[LENGTH + 1];
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_uchar();
    text[LENGTH] = 0;
    struct reader reader = { .text = text };
    next(&reader);
    int value = climb(&reader, 1, 0);
    if (reader.failure == NONE && reader.token != END)
        fail(&reader, UNEXPECTED);
    if (reader.failure != NONE)
        return -(int)reader.failure;
    return value == 42;
}
