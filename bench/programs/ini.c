/* Reads a file of sections, names and values; keeps what it knows and counts what it does not. */

#include <stddef.h>
#include <string.h>
#include <ctype.h>

extern char __VERIFIER_nondet_char(void);

#define LENGTH 12

struct settings {
    int port;
    int verbose;
    unsigned lines, errors, unknown;
};

enum section { NONE, NET, LOG };

static int equal(const char *text, size_t length, const char *word)
{
    size_t i = 0;
    for (; i < length; i++) {
        if (word[i] == 0 || tolower((unsigned char)text[i]) != word[i])
            return 0;
    }
    return word[i] == 0;
}

static void trim(const char **text, size_t *length)
{
    while (0 < *length && isspace((unsigned char)**text)) {
        (*text)++;
        (*length)--;
    }
    while (0 < *length && isspace((unsigned char)(*text)[*length - 1]))
        (*length)--;
}

static int number(const char *text, size_t length, int *result)
{
    int value = 0;
    if (length == 0)
        return 0;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i]))
            return 0;
        value = 10 * value + (text[i] - '0');
        if (65535 < value)
            return 0;
    }
    *result = value;
    return 1;
}

static int truth(const char *text, size_t length, int *result)
{
    if (equal(text, length, "on") || equal(text, length, "yes") || equal(text, length, "1")) {
        *result = 1;
        return 1;
    }
    if (equal(text, length, "off") || equal(text, length, "no") || equal(text, length, "0")) {
        *result = 0;
        return 1;
    }
    return 0;
}

static int heading(const char *text, size_t length, enum section *section)
{
    if (length < 2 || text[length - 1] != ']')
        return 0;
    text++;
    length -= 2;
    trim(&text, &length);
    if (equal(text, length, "n"))
        *section = NET;
    else if (equal(text, length, "l"))
        *section = LOG;
    else
        return 0;
    return 1;
}

static int assignment(struct settings *settings, enum section section, const char *text, size_t length)
{
    size_t equals = 0;
    while (equals < length && text[equals] != '=')
        equals++;
    if (equals == length)
        return 0;
    const char *name = text, *value = text + equals + 1;
    size_t name_length = equals, value_length = length - equals - 1;
    trim(&name, &name_length);
    trim(&value, &value_length);
    if (section == NET && equal(name, name_length, "p"))
        return number(value, value_length, &settings->port);
    if (section == LOG && equal(name, name_length, "v"))
        return truth(value, value_length, &settings->verbose);
    settings->unknown++;
    return 1;
}

static void line(struct settings *settings, enum section *section, const char *text, size_t length)
{
    settings->lines++;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == ';' || text[i] == '#') {
            length = i;
            break;
        }
    }
    trim(&text, &length);
    if (length == 0)
        return;
    int good = text[0] == '[' ? heading(text, length, section) : assignment(settings, *section, text, length);
    if (!good)
        settings->errors++;
}

int main(void)
{
    char text[LENGTH];
    struct settings settings;
    enum section section = NONE;
    memset(&settings, 0, sizeof settings);
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    size_t start = 0;
    for (size_t i = 0; i <= LENGTH; i++) {
        if (i == LENGTH || text[i] == '\n') {
            line(&settings, &section, text + start, i - start);
            start = i + 1;
        }
    }
    if (settings.errors != 0)
        return 2;
    return settings.port == 80 && settings.verbose;
}
