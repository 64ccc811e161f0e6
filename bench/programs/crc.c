/* Frames guarded by three checksums, tables of four bits at a time: the header by CRC-8, the payload by CRC-16, and the whole
   stream by the CRC-32 that bzip2 uses, highest bit first. Runs in the payload are written short, as bzip2 does it. */

extern unsigned char __VERIFIER_nondet_uchar(void);

#define INPUT 10
#define ROOM 12
#define RUN 3

typedef unsigned char byte;

enum verdict { GOOD, TOO_SHORT, BAD_HEADER, BAD_KIND, BAD_LENGTH, BAD_PAYLOAD, TOO_LONG, BAD_RUN, BAD_STREAM };

static unsigned table8[16], table16[16], table32[16];

static void fill(unsigned *table, unsigned polynomial, unsigned width)
{
    unsigned top = 1u << (width - 1);
    unsigned mask = top | (top - 1);
    for (unsigned i = 0; i < 16; i++) {
        unsigned value = i << (width - 4);
        for (int bit = 0; bit < 4; bit++)
            value = value & top ? (value << 1) ^ polynomial : value << 1;
        table[i] = value & mask;
    }
}

static unsigned step(const unsigned *table, unsigned width, unsigned crc, byte next)
{
    unsigned mask = (1u << (width - 1)) | ((1u << (width - 1)) - 1);
    crc = (crc << 4 ^ table[(crc >> (width - 4) ^ next >> 4) & 15]) & mask;
    return (crc << 4 ^ table[(crc >> (width - 4) ^ next) & 15]) & mask;
}

static unsigned over(const unsigned *table, unsigned width, unsigned crc, const byte *bytes, int count)
{
    for (int i = 0; i < count; i++)
        crc = step(table, width, crc, bytes[i]);
    return crc;
}

/* Writes runs out: three equal bytes are followed by the number of further ones. The number of bytes, or -1, or -2. */
static int unpack(const byte *bytes, int count, byte *out)
{
    int made = 0, run = 0;
    for (int i = 0; i < count; i++) {
        if (run == RUN) {
            if (4 < bytes[i])
                return -2;
            for (int more = 0; more < bytes[i]; more++) {
                if (made == ROOM)
                    return -1;
                out[made] = out[made - 1];
                made++;
            }
            run = 0;
            continue;
        }
        if (made == ROOM)
            return -1;
        run = 0 < run && bytes[i] == out[made - 1] ? run + 1 : 1;
        out[made++] = bytes[i];
    }
    return run == RUN ? -2 : made;
}

/* A frame: kind, length, CRC-8 of both; the payload; its CRC-16 if the kind asks for one. */
static enum verdict frame(const byte *bytes, int count, unsigned *stream)
{
    byte out[ROOM];
    int check, made;
    if (count < 4)
        return TOO_SHORT;
    if (over(table8, 8, 0, bytes, 2) != bytes[2])
        return BAD_HEADER;
    switch (bytes[0]) {
    case 1:
        check = 0;
        break;
    case 2:
        check = 2;
        break;
    default:
        return BAD_KIND;
    }
    if (bytes[1] == 0 || count < 3 + bytes[1] + check)
        return BAD_LENGTH;
    if (check != 0) {
        unsigned sum = over(table16, 16, 0xFFFF, bytes + 3, bytes[1]);
        if (bytes[3 + bytes[1]] != sum >> 8 || bytes[4 + bytes[1]] != (sum & 0xFF))
            return BAD_PAYLOAD;
    }
    made = unpack(bytes + 3, bytes[1], out);
    if (made == -1)
        return TOO_LONG;
    if (made < 0)
        return BAD_RUN;
    *stream = ~over(table32, 32, ~0u, out, made);
    return GOOD;
}

int main(void)
{
    byte bytes[INPUT];
    unsigned stream = 0;
    fill(table8, 0x07, 8);
    fill(table16, 0x1021, 16);
    fill(table32, 0x04C11DB7, 32);
    for (int i = 0; i < INPUT; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    int count = bytes[INPUT - 1] & 15;
    if (INPUT - 1 < count)
        count = INPUT - 1;
    enum verdict found = frame(bytes, count, &stream);
    if (found != GOOD)
        return found;
    /* The checksum of the text "abc". */
    if (stream == 0x648CBB73)
        return 100;
    return stream % 1000 == 7 ? BAD_STREAM : GOOD;
}
