/* Base64 and UTF-8: decoders that refuse every wrong form, and encoders that must bring back the same bytes. */

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

typedef unsigned char byte;

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int sextet(byte c)
{
    if ('A' <= c && c <= 'Z')
        return c - 'A';
    if ('a' <= c && c <= 'z')
        return c - 'a' + 26;
    if ('0' <= c && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    if (c == '/')
        return 63;
    return -1;
}

/* The number of bytes, or -1. */
static int from64(const byte *text, int count, byte *bytes)
{
    int made = 0;
    if (count % 4 != 0)
        return -1;
    for (int i = 0; i < count; i += 4) {
        int last = i + 4 == count;
        int a = sextet(text[i]), b = sextet(text[i + 1]);
        if (a < 0 || b < 0)
            return -1;
        bytes[made++] = (byte)(a << 2 | b >> 4);
        if (last && text[i + 2] == '=' && text[i + 3] == '=') {
            if (b & 15)
                return -1;
            return made;
        }
        int c = sextet(text[i + 2]);
        if (c < 0)
            return -1;
        bytes[made++] = (byte)(b << 4 | c >> 2);
        if (last && text[i + 3] == '=') {
            if (c & 3)
                return -1;
            return made;
        }
        int d = sextet(text[i + 3]);
        if (d < 0)
            return -1;
        bytes[made++] = (byte)(c << 6 | d);
    }
    return made;
}

static int to64(const byte *bytes, int count, byte *text)
{
    int made = 0;
    for (int i = 0; i < count; i += 3) {
        int left = count - i;
        unsigned group = (unsigned)bytes[i] << 16;
        if (1 < left)
            group |= (unsigned)bytes[i + 1] << 8;
        if (2 < left)
            group |= bytes[i + 2];
        text[made++] = (byte)letters[group >> 18];
        text[made++] = (byte)letters[group >> 12 & 63];
        text[made++] = 1 < left ? (byte)letters[group >> 6 & 63] : '=';
        text[made++] = 2 < left ? (byte)letters[group & 63] : '=';
    }
    return made;
}

/* The length of a character, or 0 if it is wrong. */
static int from_utf8(const byte *bytes, int count, unsigned *point)
{
    byte first = bytes[0];
    int length;
    unsigned least;
    if (first < 0x80) {
        *point = first;
        return 1;
    }
    if ((first & 0xE0) == 0xC0) {
        length = 2;
        least = 0x80;
        *point = first & 0x1F;
    } else if ((first & 0xF0) == 0xE0) {
        length = 3;
        least = 0x800;
        *point = first & 0x0F;
    } else if ((first & 0xF8) == 0xF0) {
        length = 4;
        least = 0x10000;
        *point = first & 0x07;
    } else {
        return 0;
    }
    if (count < length)
        return 0;
    for (int i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
        *point = *point << 6 | (bytes[i] & 0x3F);
    }
    if (*point < least || 0x10FFFF < *point || (0xD800 <= *point && *point <= 0xDFFF))
        return 0;
    return length;
}

static int to_utf8(unsigned point, byte *bytes)
{
    if (point < 0x80) {
        bytes[0] = (byte)point;
        return 1;
    }
    if (point < 0x800) {
        bytes[0] = (byte)(0xC0 | point >> 6);
        bytes[1] = (byte)(0x80 | (point & 0x3F));
        return 2;
    }
    if (point < 0x10000) {
        if (0xD800 <= point && point <= 0xDFFF)
            return 0;
        bytes[0] = (byte)(0xE0 | point >> 12);
        bytes[1] = (byte)(0x80 | (point >> 6 & 0x3F));
        bytes[2] = (byte)(0x80 | (point & 0x3F));
        return 3;
    }
    if (0x10FFFF < point)
        return 0;
    bytes[0] = (byte)(0xF0 | point >> 18);
    bytes[1] = (byte)(0x80 | (point >> 12 & 0x3F));
    bytes[2] = (byte)(0x80 | (point >> 6 & 0x3F));
    bytes[3] = (byte)(0x80 | (point & 0x3F));
    return 4;
}

int main(void)
{
    byte text[8], again[12], bytes[8];
    for (int i = 0; i < 8; i++)
        text[i] = __VERIFIER_nondet_uchar();
    switch (__VERIFIER_nondet_uchar()) {
    case 0: {
        int count = from64(text, 8, bytes);
        if (count < 0)
            return 1;
        if (to64(bytes, count, again) != 8)
            return 2;
        for (int i = 0; i < 8; i++)
            if (again[i] != text[i])
                return 3;
        return 0;
    }
    case 1: {
        unsigned point;
        int length = from_utf8(text, 4, &point);
        if (length == 0)
            return 4;
        if (to_utf8(point, again) != length)
            return 5;
        for (int i = 0; i < length; i++)
            if (again[i] != text[i])
                return 6;
        return 0;
    }
    default: {
        unsigned point = __VERIFIER_nondet_uint(), back;
        int length = to_utf8(point, bytes);
        if (length == 0)
            return 7;
        return from_utf8(bytes, length, &back) != length || back != point;
    }
    }
}
