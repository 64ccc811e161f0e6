// Functions of the C library, in C: linked to programs that call them. A part begins with `//=`, the function it defines (none for
// what only other parts use), and behind a colon the parts it needs. `$size` stands for `size_t`. Names with `$` are ours.
//= qsort :
void $qsort(void *base, $size count, $size size, int (*compare)(const void *, const void *))
{
    unsigned char *bytes = base;
    for ($size sorted = 1; sorted < count; sorted++)
        for ($size at = sorted; at > 0 && compare(bytes + (at - 1) * size, bytes + at * size) > 0; at--)
            $swap(bytes + (at - 1) * size, bytes + at * size, size);
}
//= bsearch :
void *$bsearch(const void *key, const void *base, $size count, $size size, int (*compare)(const void *, const void *))
{
    const unsigned char *bytes = base;
    $size low = 0, high = count;
    while (low < high) {
        $size middle = low + (high - low) / 2;
        int order = compare(key, bytes + middle * size);
        if (order == 0)
            return (void *)(bytes + middle * size);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
//= $next :
int getchar(void);
static int $ended = 0;
static int $kept = -2;
static int $next(void)
{
    int c = $kept;
    if (c != -2) {
        $kept = -2;
        return c;
    }
    if ($ended)
        return -1;
    c = getchar();
    if (c == -1)
        $ended = 1;
    return c;
}
//= fgetc : $next
int $fgetc(void *stream) { return $next(); }
//= getc : $next
int $getc(void *stream) { return $next(); }
//= _IO_getc : $next
int $_IO_getc(void *stream) { return $next(); }
//= fgets : $next
char *$fgets(char *text, int size, void *stream)
{
    int length = 0;
    if (size <= 0)
        return 0;
    while (length < size - 1) {
        int c = $next();
        if (c == -1) {
            if (length == 0)
                return 0;
            break;
        }
        text[length++] = (char)c;
        if (c == '\n')
            break;
    }
    text[length] = 0;
    return text;
}
//= fread : $next
$size $fread(void *data, $size size, $size count, void *stream)
{
    unsigned char *bytes = data;
    $size whole;
    if (size == 0)
        return 0;
    for (whole = 0; whole < count; whole++)
        for ($size at = 0; at < size; at++) {
            int c = $next();
            if (c == -1)
                return whole;
            bytes[whole * size + at] = (unsigned char)c;
        }
    return whole;
}
//= read : $next
long $read(int file, void *data, $size count)
{
    unsigned char *bytes = data;
    $size at;
    for (at = 0; at < count; at++) {
        int c = $next();
        if (c == -1)
            break;
        bytes[at] = (unsigned char)c;
    }
    return (long)at;
}
//= $scan : $next
static int $take(const char **source)
{
    int c;
    if (!source)
        return $next();
    c = (unsigned char)**source;
    if (c == 0)
        return -1;
    ++*source;
    return c;
}
static void $give(const char **source, int c)
{
    if (c == -1)
        return;
    if (source)
        --*source;
    else
        $kept = c;
}
static int $blank(int c) { return c == ' ' || (c >= 9 && c <= 13); }
static int $skip(const char **source)
{
    int c = $take(source);
    while ($blank(c))
        c = $take(source);
    return c;
}
static int $digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}
static int $scan(const char **source, const char *format, __builtin_va_list list)
{
    int done = 0;
    while (*format) {
        int width = 0, length = 0, kept = 1, c, kind;
        if ($blank((unsigned char)*format)) {
            $give(source, $skip(source));
            format++;
            continue;
        }
        if (*format != '%') {
            c = $take(source);
            if (c != (unsigned char)*format) {
                $give(source, c);
                return c == -1 && done == 0 ? -1 : done;
            }
            format++;
            continue;
        }
        format++;
        if (*format == '*') {
            kept = 0;
            format++;
        }
        while (*format >= '0' && *format <= '9')
            width = width * 10 + (*format++ - '0');
        while (*format == 'l' || *format == 'h' || *format == 'z' || *format == 'j') {
            length += *format == 'h' ? -1 : *format == 'l' ? 1 : 2;
            format++;
        }
        kind = *format++;
        if (kind == '%') {
            c = $skip(source);
            if (c != '%') {
                $give(source, c);
                return c == -1 && done == 0 ? -1 : done;
            }
        } else if (kind == 'c') {
            char *text = kept ? __builtin_va_arg(list, char *) : 0;
            if (width == 0)
                width = 1;
            for (int at = 0; at < width; at++) {
                c = $take(source);
                if (c == -1)
                    return done == 0 ? -1 : done;
                if (kept)
                    text[at] = (char)c;
            }
            done += kept;
        } else if (kind == 's') {
            char *text = kept ? __builtin_va_arg(list, char *) : 0;
            int at = 0;
            c = $skip(source);
            if (c == -1)
                return done == 0 ? -1 : done;
            while (c != -1 && !$blank(c)) {
                if (kept)
                    text[at] = (char)c;
                at++;
                if (at == width) {
                    c = -2;
                    break;
                }
                c = $take(source);
            }
            if (c != -2)
                $give(source, c);
            if (kept)
                text[at] = 0;
            done += kept;
        } else if (kind == 'd' || kind == 'i' || kind == 'u' || kind == 'x' || kind == 'X' || kind == 'o') {
            unsigned long long number = 0;
            unsigned base = kind == 'd' || kind == 'u' ? 10 : kind == 'o' ? 8 : kind == 'i' ? 10 : 16;
            int negative = 0, digits = 0, left = width ? width : 1000;
            c = $skip(source);
            if (c == -1)
                return done == 0 ? -1 : done;
            if (c == '-' || c == '+') {
                negative = c == '-';
                left--;
                c = left ? $take(source) : -1;
            }
            if (c == '0' && left && (base == 16 || kind == 'i')) {
                digits = 1;
                left--;
                c = left ? $take(source) : -1;
                if (c == 'x' || c == 'X') {
                    base = 16;
                    digits = 0;
                    left--;
                    c = left ? $take(source) : -1;
                } else if (kind == 'i')
                    base = 8;
            }
            while (left && $digit(c) < (int)base) {
                number = number * base + (unsigned)$digit(c);
                digits = 1;
                left--;
                c = left ? $take(source) : -1;
            }
            $give(source, c);
            if (!digits)
                return done;
            if (negative)
                number = -number;
            if (kept) {
                if (length >= 2)
                    *__builtin_va_arg(list, long long *) = (long long)number;
                else if (length == 1)
                    *__builtin_va_arg(list, long *) = (long)number;
                else if (length == 0)
                    *__builtin_va_arg(list, int *) = (int)number;
                else if (length == -1)
                    *__builtin_va_arg(list, short *) = (short)number;
                else
                    *__builtin_va_arg(list, signed char *) = (signed char)number;
                done++;
            }
        } else {
            $unmodelled();
        }
    }
    return done;
}
//= scanf : $scan
int $scanf(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    return $scan(0, format, list);
}
//= __isoc99_scanf : $scan
int $__isoc99_scanf(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    return $scan(0, format, list);
}
//= fscanf : $scan
int $fscanf(void *stream, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    return $scan(0, format, list);
}
//= __isoc99_fscanf : $scan
int $__isoc99_fscanf(void *stream, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    return $scan(0, format, list);
}
//= sscanf : $scan
int $sscanf(const char *source, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    return $scan(&source, format, list);
}
//= __isoc99_sscanf : $scan
int $__isoc99_sscanf(const char *source, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    return $scan(&source, format, list);
}
//= strtok_r :
char *$strtok_r(char *text, const char *marks, char **place)
{
    char *begin;
    int mark;
    if (!text)
        text = *place;
    for (;; text++) {
        if (*text == 0) {
            *place = text;
            return 0;
        }
        mark = 0;
        for (const char *one = marks; *one; one++)
            if (*one == *text)
                mark = 1;
        if (!mark)
            break;
    }
    begin = text;
    for (; *text; text++)
        for (const char *one = marks; *one; one++)
            if (*one == *text) {
                *text = 0;
                *place = text + 1;
                return begin;
            }
    *place = text;
    return begin;
}
//= strtok : strtok_r
char *strtok_r(char *, const char *, char **);
static char *$place = 0;
char *$strtok(char *text, const char *marks)
{
    if (!text && !$place)
        return 0;
    return strtok_r(text, marks, &$place);
}
//= strsep :
char *$strsep(char **place, const char *marks)
{
    char *begin = *place, *text = begin;
    if (!begin)
        return 0;
    for (; *text; text++)
        for (const char *one = marks; *one; one++)
            if (*one == *text) {
                *text = 0;
                *place = text + 1;
                return begin;
            }
    *place = 0;
    return begin;
}
//= strstr :
char *$strstr(const char *text, const char *wanted)
{
    for (;; text++) {
        $size at = 0;
        while (wanted[at] && text[at] == wanted[at])
            at++;
        if (!wanted[at])
            return (char *)text;
        if (!text[at])
            return 0;
    }
}
//= strspn :
$size $strspn(const char *text, const char *set)
{
    $size length = 0;
    for (; text[length]; length++) {
        const char *one = set;
        while (*one && *one != text[length])
            one++;
        if (!*one)
            break;
    }
    return length;
}
//= strcspn :
$size $strcspn(const char *text, const char *set)
{
    $size length = 0;
    for (; text[length]; length++)
        for (const char *one = set; *one; one++)
            if (*one == text[length])
                return length;
    return length;
}
//= strpbrk :
char *$strpbrk(const char *text, const char *set)
{
    for (; *text; text++)
        for (const char *one = set; *one; one++)
            if (*one == *text)
                return (char *)text;
    return 0;
}
//= strrchr :
char *$strrchr(const char *text, int wanted)
{
    const char *found = 0;
    for (;; text++) {
        if (*text == (char)wanted)
            found = text;
        if (!*text)
            return (char *)found;
    }
}
//= strnlen :
$size $strnlen(const char *text, $size most)
{
    $size length = 0;
    while (length < most && text[length])
        length++;
    return length;
}
//= strcat :
char *$strcat(char *target, const char *source)
{
    $size end = __builtin_strlen(target), at = 0;
    while ((target[end + at] = source[at]))
        at++;
    return target;
}
//= strncat :
char *$strncat(char *target, const char *source, $size most)
{
    $size end = __builtin_strlen(target), at = 0;
    while (at < most && source[at]) {
        target[end + at] = source[at];
        at++;
    }
    target[end + at] = 0;
    return target;
}
//= strncpy :
char *$strncpy(char *target, const char *source, $size most)
{
    $size at = 0;
    while (at < most && source[at]) {
        target[at] = source[at];
        at++;
    }
    for (; at < most; at++)
        target[at] = 0;
    return target;
}
//= stpcpy :
char *$stpcpy(char *target, const char *source)
{
    while ((*target = *source)) {
        target++;
        source++;
    }
    return target;
}
//= strdup :
char *$strdup(const char *text)
{
    $size size = __builtin_strlen(text) + 1;
    char *copy = __builtin_malloc(size);
    if (copy)
        for ($size at = 0; at < size; at++)
            copy[at] = text[at];
    return copy;
}
//= $lower :
static int $lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
//= strcasecmp : $lower
int $strcasecmp(const char *left, const char *right)
{
    for (;; left++, right++) {
        int one = $lower((unsigned char)*left), other = $lower((unsigned char)*right);
        if (one != other || one == 0)
            return one - other;
    }
}
//= strncasecmp : $lower
int $strncasecmp(const char *left, const char *right, $size most)
{
    for (; most > 0; most--, left++, right++) {
        int one = $lower((unsigned char)*left), other = $lower((unsigned char)*right);
        if (one != other || one == 0)
            return one - other;
    }
    return 0;
}
//= memchr :
void *$memchr(const void *data, int wanted, $size size)
{
    const unsigned char *bytes = data;
    for ($size at = 0; at < size; at++)
        if (bytes[at] == (unsigned char)wanted)
            return (void *)(bytes + at);
    return 0;
}
//= bzero :
void $bzero(void *data, $size size)
{
    unsigned char *bytes = data;
    for ($size at = 0; at < size; at++)
        bytes[at] = 0;
}
//= __errno_location :
static int $errno = 0;
int *$__errno_location(void) { return &$errno; }
//= $number : __errno_location
int *__errno_location(void);
static unsigned long long $number(const char *text, char **end, int base, unsigned long long most, int sign)
{
    const char *at = text;
    unsigned long long number = 0, limit = most;
    int negative = 0, digits = 0, large = 0;
    while (*at == ' ' || (*at >= 9 && *at <= 13))
        at++;
    if (*at == '-' || *at == '+')
        negative = *at++ == '-';
    if (sign && negative)
        limit = most + 1;
    if ((base == 0 || base == 16) && *at == '0' && (at[1] == 'x' || at[1] == 'X')
        && ((at[2] >= '0' && at[2] <= '9') || (at[2] >= 'a' && at[2] <= 'f') || (at[2] >= 'A' && at[2] <= 'F'))) {
        at += 2;
        base = 16;
    } else if (base == 0)
        base = *at == '0' ? 8 : 10;
    for (;; at++) {
        unsigned digit;
        if (*at >= '0' && *at <= '9')
            digit = *at - '0';
        else if (*at >= 'a' && *at <= 'z')
            digit = *at - 'a' + 10;
        else if (*at >= 'A' && *at <= 'Z')
            digit = *at - 'A' + 10;
        else
            break;
        if (digit >= (unsigned)base)
            break;
        digits = 1;
        if (large || number > (limit - digit) / (unsigned)base)
            large = 1;
        else
            number = number * (unsigned)base + digit;
    }
    if (end)
        *end = (char *)(digits ? at : text);
    if (large) {
        *__errno_location() = 34;
        return limit;
    }
    return negative ? -number : number;
}
//= strtol : $number
long $strtol(const char *text, char **end, int base)
{
    unsigned long long most = ~0UL >> 1, number = $number(text, end, base, most, 1);
    return number == most + 1 ? -(long)most - 1 : (long)number;
}
//= strtoll : $number
long long $strtoll(const char *text, char **end, int base)
{
    unsigned long long most = ~0ULL >> 1, number = $number(text, end, base, most, 1);
    return number == most + 1 ? -(long long)most - 1 : (long long)number;
}
//= strtoul : $number
unsigned long $strtoul(const char *text, char **end, int base)
{
    return (unsigned long)$number(text, end, base, ~0UL, 0);
}
//= strtoull : $number
unsigned long long $strtoull(const char *text, char **end, int base)
{
    return $number(text, end, base, ~0ULL, 0);
}
//= atoi : strtol
long strtol(const char *, char **, int);
int $atoi(const char *text)
{
    long number = strtol(text, 0, 10);
    if (number != (int)number)
        __builtin_unreachable();
    return (int)number;
}
//= atol : strtol
long strtol(const char *, char **, int);
long $atol(const char *text) { return strtol(text, 0, 10); }
//= atoll : strtoll
long long strtoll(const char *, char **, int);
long long $atoll(const char *text) { return strtoll(text, 0, 10); }
//= strndup :
void *malloc($size);
char *$strndup(const char *text, $size most)
{
    $size length = 0;
    char *copy;
    while (length < most && text[length])
        length++;
    copy = malloc(length + 1);
    if (!copy)
        return 0;
    for ($size at = 0; at < length; at++)
        copy[at] = text[at];
    copy[length] = 0;
    return copy;
}
//= strchrnul :
char *$strchrnul(const char *text, int wanted)
{
    while (*text && *text != (char)wanted)
        text++;
    return (char *)text;
}
//= strcasestr : $lower
char *$strcasestr(const char *text, const char *wanted)
{
    for (;; text++) {
        $size at = 0;
        while (wanted[at] && $lower((unsigned char)text[at]) == $lower((unsigned char)wanted[at]))
            at++;
        if (!wanted[at])
            return (char *)text;
        if (!*text)
            return 0;
    }
}
//= memmem :
void *$memmem(const void *data, $size size, const void *wanted, $size length)
{
    const unsigned char *bytes = data, *other = wanted;
    if (size < length)
        return 0;
    for ($size from = 0; from <= size - length; from++) {
        $size at = 0;
        while (at < length && bytes[from + at] == other[at])
            at++;
        if (at == length)
            return (void *)(bytes + from);
    }
    return 0;
}
//= memrchr :
void *$memrchr(const void *data, int wanted, $size size)
{
    const unsigned char *bytes = data;
    while (size > 0)
        if (bytes[--size] == (unsigned char)wanted)
            return (void *)(bytes + size);
    return 0;
}
//= stpncpy :
char *$stpncpy(char *target, const char *source, $size size)
{
    $size at = 0;
    char *end;
    for (; at < size && source[at]; at++)
        target[at] = source[at];
    end = target + at;
    for (; at < size; at++)
        target[at] = 0;
    return end;
}
//= wcslen :
$size $wcslen(const int *text)
{
    $size length = 0;
    while (text[length])
        length++;
    return length;
}
//= wcscmp :
int $wcscmp(const int *left, const int *right)
{
    while (*left && *left == *right)
        left++, right++;
    return (*left > *right) - (*left < *right);
}
//= isascii :
int $isascii(int c) { return (c & ~0x7f) == 0; }
//= toascii :
int $toascii(int c) { return c & 0x7f; }
//= htons :
unsigned short $htons(unsigned short number)
{
    unsigned short one = 1;
    return *(unsigned char *)&one ? (unsigned short)(number >> 8 | number << 8) : number;
}
//= ntohs : htons
unsigned short htons(unsigned short);
unsigned short $ntohs(unsigned short number) { return htons(number); }
//= htonl :
unsigned $htonl(unsigned number)
{
    unsigned one = 1;
    if (!*(unsigned char *)&one)
        return number;
    return number >> 24 | (number >> 8 & 0xff00u) | (number << 8 & 0xff0000u) | number << 24;
}
//= ntohl : htonl
unsigned htonl(unsigned);
unsigned $ntohl(unsigned number) { return htonl(number); }
//= div :
struct $div { int quot, rem; };
struct $div $div(int left, int right)
{
    struct $div both = { left / right, left % right };
    return both;
}
//= ldiv :
struct $ldiv { long quot, rem; };
struct $ldiv $ldiv(long left, long right)
{
    struct $ldiv both = { left / right, left % right };
    return both;
}
//= lldiv :
struct $lldiv { long long quot, rem; };
struct $lldiv $lldiv(long long left, long long right)
{
    struct $lldiv both = { left / right, left % right };
    return both;
}
//= difftime :
double $difftime(long later, long earlier) { return (double)later - (double)earlier; }
//= lround :
long $lround(double number)
{
    long whole = (long)number;
    double rest = number - (double)whole;
    if (rest >= 0.5)
        return whole + 1;
    return rest <= -0.5 ? whole - 1 : whole;
}
//= llround :
long long $llround(double number)
{
    long long whole = (long long)number;
    double rest = number - (double)whole;
    if (rest >= 0.5)
        return whole + 1;
    return rest <= -0.5 ? whole - 1 : whole;
}
//= lrint :
long $lrint(double number)
{
    long whole = (long)number;
    double rest = number - (double)whole;
    if (rest > 0.5 || (rest == 0.5 && whole & 1))
        return whole + 1;
    return rest < -0.5 || (rest == -0.5 && whole & 1) ? whole - 1 : whole;
}
//= llrint :
long long $llrint(double number)
{
    long long whole = (long long)number;
    double rest = number - (double)whole;
    if (rest > 0.5 || (rest == 0.5 && whole & 1))
        return whole + 1;
    return rest < -0.5 || (rest == -0.5 && whole & 1) ? whole - 1 : whole;
}
//= lroundf : lround
long lround(double);
long $lroundf(float number) { return lround(number); }
//= llroundf : llround
long long llround(double);
long long $llroundf(float number) { return llround(number); }
//= lrintf : lrint
long lrint(double);
long $lrintf(float number) { return lrint(number); }
//= llrintf : llrint
long long llrint(double);
long long $llrintf(float number) { return llrint(number); }
//= fdim :
double $fdim(double left, double right)
{
    if (left != left || right != right)
        return left + right;
    return left > right ? left - right : 0.0;
}
//= fdimf :
float $fdimf(float left, float right)
{
    if (left != left || right != right)
        return left + right;
    return left > right ? left - right : 0.0f;
}
//= $bits :
union $double { double number; unsigned long long bits; };
//= modf : $bits
double $modf(double number, double *whole)
{
    union $double part, zero;
    int exponent;
    unsigned long long below;
    part.number = number;
    zero.bits = part.bits >> 63 << 63;
    exponent = (int)(part.bits >> 52 & 0x7ff) - 1023;
    if (exponent < 0) {
        *whole = zero.number;
        return number;
    }
    if (exponent >= 52) {
        *whole = number;
        return number != number ? number : zero.number;
    }
    below = (1ULL << (52 - exponent)) - 1;
    if ((part.bits & below) == 0) {
        *whole = number;
        return zero.number;
    }
    part.bits &= ~below;
    *whole = part.number;
    return number - part.number;
}
//= modff : modf
double modf(double, double *);
float $modff(float number, float *whole)
{
    double part;
    float rest = (float)modf(number, &part);
    *whole = (float)part;
    return rest;
}
//= frexp : $bits
double $frexp(double number, int *exponent)
{
    union $double part;
    int shift = 1022;
    part.number = number;
    *exponent = 0;
    if (part.bits << 1 == 0 || (part.bits >> 52 & 0x7ff) == 0x7ff)
        return number;
    if ((part.bits >> 52 & 0x7ff) == 0) {
        part.number = number * 0x1p64;
        shift += 64;
    }
    *exponent = (int)(part.bits >> 52 & 0x7ff) - shift;
    part.bits = (part.bits & ~(0x7ffULL << 52)) | 1022ULL << 52;
    return part.number;
}
//= frexpf : frexp
double frexp(double, int *);
float $frexpf(float number, int *exponent) { return (float)frexp(number, exponent); }
//= ldexp : $bits
double $ldexp(double number, int exponent)
{
    union $double factor;
    for (int round = 0; round < 2 && exponent > 1023; round++, exponent -= 1023)
        number *= 0x1p1023;
    // Not all the way down at once: the result must be rounded only once.
    for (int round = 0; round < 2 && exponent < -1022; round++, exponent += 969)
        number *= 0x1p-969;
    if (exponent > 1023)
        exponent = 1023;
    if (exponent < -1022)
        exponent = -1022;
    factor.bits = (unsigned long long)(exponent + 1023) << 52;
    return number * factor.number;
}
//= ldexpf : ldexp
double ldexp(double, int);
float $ldexpf(float number, int exponent) { return (float)ldexp(number, exponent); }
//= scalbn : ldexp
double ldexp(double, int);
double $scalbn(double number, int exponent) { return ldexp(number, exponent); }
//= scalbnf : ldexp
double ldexp(double, int);
float $scalbnf(float number, int exponent) { return (float)ldexp(number, exponent); }
//= scalbln : ldexp
double ldexp(double, int);
double $scalbln(double number, long exponent)
{
    return ldexp(number, exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : (int)exponent);
}
//= ilogb : $bits
int $ilogb(double number)
{
    union $double part;
    int exponent, shift = 1023;
    part.number = number;
    if (part.bits << 1 == 0 || number != number)
        return -2147483647 - 1;
    if ((part.bits >> 52 & 0x7ff) == 0) {
        part.number = number * 0x1p64;
        shift += 64;
    }
    exponent = (int)(part.bits >> 52 & 0x7ff);
    return exponent == 0x7ff ? 2147483647 : exponent - shift;
}
//= ilogbf : ilogb
int ilogb(double);
int $ilogbf(float number) { return ilogb(number); }
//= logb : ilogb
int ilogb(double);
double $logb(double number)
{
    int exponent = ilogb(number);
    if (number == 0)
        return -1.0 / 0.0;
    if (number != number || exponent == 2147483647)
        return number * number;
    return exponent;
}
//= nextafter : $bits
double $nextafter(double from, double to)
{
    union $double part;
    if (from != from || to != to)
        return from + to;
    if (from == to)
        return to;
    part.number = from;
    if (from == 0)
        part.bits = to < 0 ? 1ULL << 63 | 1 : 1;
    else if ((from < to) == (from > 0))
        part.bits++;
    else
        part.bits--;
    return part.number;
}
//= nextafterf :
union $float { float number; unsigned bits; };
float $nextafterf(float from, float to)
{
    union $float part;
    if (from != from || to != to)
        return from + to;
    if (from == to)
        return to;
    part.number = from;
    if (from == 0)
        part.bits = to < 0 ? 1U << 31 | 1 : 1;
    else if ((from < to) == (from > 0))
        part.bits++;
    else
        part.bits--;
    return part.number;
}
//= $moment :
long specimen_clock(void);
static void $moment(long *at, long unit)
{
    long whole = specimen_clock(), part = specimen_clock();
    at[0] = whole;
    at[1] = part < 0 || part >= unit ? 0 : part;
}
//= gettimeofday : $moment
int $gettimeofday(void *now, void *zone)
{
    int *minutes = zone;
    if (now)
        $moment(now, 1000000);
    if (minutes) {
        minutes[0] = 0;
        minutes[1] = 0;
    }
    return 0;
}
//= clock_gettime : $moment
int $clock_gettime(int clock, void *now)
{
    if (specimen_clock() < 0)
        return -1;
    $moment(now, 1000000000);
    return 0;
}
//= clock_getres : $moment
int $clock_getres(int clock, void *resolution)
{
    if (specimen_clock() < 0)
        return -1;
    if (resolution)
        $moment(resolution, 1000000000);
    return 0;
}
//= times : $moment
long $times(void *used)
{
    long *at = used;
    for (int i = 0; at && i < 4; i++)
        at[i] = specimen_clock();
    return specimen_clock();
}
//= getrusage : $moment
int $getrusage(int who, void *usage)
{
    long *at = usage;
    if (specimen_clock() < 0)
        return -1;
    $moment(at, 1000000);
    $moment(at + 2, 1000000);
    for (int i = 4; i < 18; i++)
        at[i] = specimen_clock();
    return 0;
}
