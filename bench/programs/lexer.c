/* A table-driven lexer for a small language, with keywords, numbers, strings and two kinds of comments. */

extern unsigned char __VERIFIER_nondet_uchar(void);

#define LENGTH 8

enum class { BLANK, NEWLINE, LETTER, ZERO, DIGIT, QUOTE, STAR, BAR, DOT, MARK, OTHER, STOP, CLASSES };
enum state { START, NAME, NUL, INTEGER, FRACTION, TEXT, SLASH, LINE, BLOCK, BLOCK_STAR, SIGN, STATES };
enum kind { K_NAME, K_KEYWORD, K_INTEGER, K_FRACTION, K_TEXT, K_SIGN, KINDS };

#define GO(state) (state)
#define END 100
#define BAD 101

static const unsigned char table[STATES][CLASSES] = {
    /*             blank      newline    letter     zero       digit      quote     star         bar        dot        mark      other stop */
    [START]      = { START,   START,     NAME,      NUL,       INTEGER,   TEXT,     SIGN,        SLASH,     SIGN,      SIGN,     BAD,  END },
    [NAME]       = { END,     END,       NAME,      NAME,      NAME,      END,      END,         END,       END,       END,      END,  END },
    [NUL]        = { END,     END,       BAD,       BAD,       BAD,       END,      END,         END,       FRACTION,  END,      END,  END },
    [INTEGER]    = { END,     END,       BAD,       INTEGER,   INTEGER,   END,      END,         END,       FRACTION,  END,      END,  END },
    [FRACTION]   = { END,     END,       BAD,       FRACTION,  FRACTION,  END,      END,         END,       BAD,       END,      END,  END },
    [TEXT]       = { TEXT,    BAD,       TEXT,      TEXT,      TEXT,      END,      TEXT,        TEXT,      TEXT,      TEXT,     TEXT, BAD },
    [SLASH]      = { END,     END,       END,       END,       END,       END,      BLOCK,       LINE,      END,       END,      END,  END },
    [LINE]       = { LINE,    START,     LINE,      LINE,      LINE,      LINE,     LINE,        LINE,      LINE,      LINE,     LINE, START },
    [BLOCK]      = { BLOCK,   BLOCK,     BLOCK,     BLOCK,     BLOCK,     BLOCK,    BLOCK_STAR,  BLOCK,     BLOCK,     BLOCK,    BLOCK, BAD },
    [BLOCK_STAR] = { BLOCK,   BLOCK,     BLOCK,     BLOCK,     BLOCK,     BLOCK,    BLOCK_STAR,  START,     BLOCK,     BLOCK,    BLOCK, BAD },
    [SIGN]       = { END,     END,       END,       END,       END,       END,      END,         END,       END,       END,      END,  END },
};

static const char *const keywords[] = { "if", "do", "int", "for", 0 };

struct lexer {
    const unsigned char *text;
    int at, start, line;
    int counts[KINDS];
};

static enum class classify(unsigned char c)
{
    if (c == 0)
        return STOP;
    if (c == ' ' || c == '\t')
        return BLANK;
    if (c == '\n')
        return NEWLINE;
    if (('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_')
        return LETTER;
    if (c == '0')
        return ZERO;
    if ('1' <= c && c <= '9')
        return DIGIT;
    switch (c) {
    case '"':
        return QUOTE;
    case '*':
        return STAR;
    case '/':
        return BAR;
    case '.':
        return DOT;
    case '+':
    case '-':
    case '(':
    case ')':
    case ';':
    case '=':
        return MARK;
    default:
        return OTHER;
    }
}

static int is_keyword(const struct lexer *lexer)
{
    for (int i = 0; keywords[i] != 0; i++) {
        const char *word = keywords[i];
        int at = lexer->start;
        while (*word != 0 && at < lexer->at && lexer->text[at] == (unsigned char)*word) {
            word++;
            at++;
        }
        if (*word == 0 && at == lexer->at)
            return 1;
    }
    return 0;
}

static int finish(struct lexer *lexer, enum state state)
{
    switch (state) {
    case NAME:
        lexer->counts[is_keyword(lexer) ? K_KEYWORD : K_NAME]++;
        return 1;
    case NUL:
    case INTEGER:
        lexer->counts[K_INTEGER]++;
        return 1;
    case FRACTION:
        lexer->counts[K_FRACTION]++;
        return 1;
    case TEXT:
        lexer->at++;
        lexer->counts[K_TEXT]++;
        return 1;
    case SLASH:
    case SIGN:
        lexer->counts[K_SIGN]++;
        return 1;
    default:
        return 0;
    }
}

/* 1 after a token, 0 at the end, -1 for an error. */
static int token(struct lexer *lexer)
{
    enum state state = START;
    lexer->start = lexer->at;
    for (;;) {
        enum class class = classify(lexer->text[lexer->at]);
        unsigned char next = table[state][class];
        if (next == BAD)
            return -1;
        if (next == END)
            return finish(lexer, state);
        if (class == STOP)
            return 0;
        if (class == NEWLINE)
            lexer->line++;
        lexer->at++;
        if (next == START)
            lexer->start = lexer->at;
        state = next;
    }
}

int main(void)
{
    unsigned char text[LENGTH + 1];
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_uchar();
    text[LENGTH] = 0;
    struct lexer lexer = { .text = text, .line = 1 };
    int found;
    do {
        found = token(&lexer);
    } while (found == 1);
    if (found < 0)
        return lexer.line;
    if (lexer.counts[K_KEYWORD] == 1 && lexer.counts[K_INTEGER] == 1 && lexer.counts[K_SIGN] == 1)
        return 100;
    return 0;
}
