/* Dates: validity, the number of a day, weekdays, weeks of the year after ISO 8601, and parsing. */

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

struct date {
    int year, month, day;
};

enum { FIRST_YEAR = 1583, LAST_YEAR = 9999 };

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int year, int month)
{
    switch (month) {
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    case 2:
        return is_leap(year) ? 29 : 28;
    default:
        return 31;
    }
}

static int is_valid(const struct date *date)
{
    if (date->year < FIRST_YEAR || LAST_YEAR < date->year)
        return 0;
    if (date->month < 1 || 12 < date->month)
        return 0;
    return 1 <= date->day && date->day <= days_in(date->year, date->month);
}

/* Days since the first of March of the year 0. */
static int number(const struct date *date)
{
    int year = date->year, month = date->month;
    if (month <= 2) {
        year--;
        month += 12;
    }
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * (month - 3) + 2) / 5 + date->day - 1;
}

/* 0 is a Monday. */
static int weekday(const struct date *date)
{
    return (number(date) + 2) % 7;
}

static int day_of_year(const struct date *date)
{
    struct date first = { date->year, 1, 1 };
    return number(date) - number(&first) + 1;
}

static int weeks_in(int year)
{
    struct date first = { year, 1, 1 };
    int day = weekday(&first);
    return day == 3 || (day == 2 && is_leap(year)) ? 53 : 52;
}

static int week(const struct date *date)
{
    int found = (day_of_year(date) - (weekday(date) + 1) + 10) / 7;
    if (found < 1)
        return weeks_in(date->year - 1);
    if (weeks_in(date->year) < found)
        return 1;
    return found;
}

static const char *quarter(const struct date *date)
{
    return date->month <= 3 ? "first" : date->month <= 6 ? "second" : date->month <= 9 ? "third" : "fourth";
}

static int digits(const char **text, int count, int *result)
{
    *result = 0;
    while (0 < count--) {
        char c = **text;
        if (c < '0' || '9' < c)
            return 0;
        *result = 10 * *result + (c - '0');
        (*text)++;
    }
    return 1;
}

/* 1 for 2024-02-29, 2 for 20240229, 0 for anything else. */
static int parse(const char *text, struct date *date)
{
    int dashes;
    if (!digits(&text, 4, &date->year))
        return 0;
    dashes = *text == '-';
    if (dashes)
        text++;
    if (!digits(&text, 2, &date->month))
        return 0;
    if (dashes) {
        if (*text != '-')
            return 0;
        text++;
    }
    if (!digits(&text, 2, &date->day) || *text != 0)
        return 0;
    return dashes ? 1 : 2;
}

static void advance(struct date *date, int days)
{
    while (0 < days) {
        int left = days_in(date->year, date->month) - date->day;
        if (days <= left) {
            date->day += days;
            return;
        }
        days -= left + 1;
        date->day = 1;
        if (date->month == 12) {
            date->month = 1;
            date->year++;
        } else {
            date->month++;
        }
    }
}

int main(void)
{
    struct date date;
    if (__VERIFIER_nondet_int() == 1) {
        char text[11];
        for (int i = 0; i < 10; i++)
            text[i] = __VERIFIER_nondet_char();
        text[10] = 0;
        if (!parse(text, &date))
            return -1;
    } else {
        date.year = __VERIFIER_nondet_int();
        date.month = __VERIFIER_nondet_int();
        date.day = __VERIFIER_nondet_int();
    }
    if (!is_valid(&date))
        return -2;
    if (date.day == 13 && weekday(&date) == 4)
        return 13;
    if (week(&date) == 53)
        return 53;
    if (week(&date) == 1 && date.month == 12)
        return 1;
    int days = __VERIFIER_nondet_int();
    if (days < 0 || 100 < days)
        return -3;
    advance(&date, days);
    if (date.month == 2 && date.day == 29 && quarter(&date)[0] == 'f')
        return 29;
    return 0;
}
