/* Frames with a header, a length and three kinds of checksums; only a right checksum opens the payload. */

extern unsigned char __VERIFIER_nondet_uchar(void);

#define LENGTH 10

typedef unsigned char byte;
typedef unsigned short half;
typedef unsigned int word;

enum result { GOOD, TOO_SHORT, NO_SYNC, BAD_VERSION, BAD_LENGTH, BAD_SUM, BAD_COMMAND, REFUSED };

static byte crc8(const byte *data, int count)
{
    byte crc = 0;
    for (int i = 0; i < count; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? (byte)(crc << 1 ^ 0x07) : (byte)(crc << 1);
    }
    return crc;
}

static half crc16(const byte *data, int count)
{
    half crc = 0xFFFF;
    for (int i = 0; i < count; i++) {
        crc ^= (half)(data[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x8000 ? (half)(crc << 1 ^ 0x1021) : (half)(crc << 1);
    }
    return crc;
}

static word adler(const byte *data, int count)
{
    word a = 1, b = 0;
    for (int i = 0; i < count; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static int opened;
static byte level;

static enum result command(const byte *payload, int count)
{
    if (count == 0)
        return GOOD;
    switch (payload[0] >> 4) {
    case 1:
        if (payload[0] & 1)
            opened = 1;
        else
            opened = 0;
        return GOOD;
    case 2:
        if (count < 2)
            return BAD_COMMAND;
        if (payload[1] > 100)
            return REFUSED;
        level = payload[1];
        return GOOD;
    case 3:
        if (count >= 2 && payload[1] == 0xA5 && (payload[0] & 0xF) == 0xC)
            return opened && level ? GOOD : REFUSED;
        return BAD_COMMAND;
    default:
        return BAD_COMMAND;
    }
}

static enum result decode(const byte *frame, int count)
{
    if (count < 4)
        return TOO_SHORT;
    if (frame[0] != 0x7E)
        return NO_SYNC;
    int version = frame[1] >> 6;
    int length = frame[1] & 0x3F;
    int tail;
    switch (version) {
    case 1:
        tail = 1;
        break;
    case 2:
        tail = 2;
        break;
    case 3:
        tail = 4;
        break;
    default:
        return BAD_VERSION;
    }
    if (count < 2 + length + tail)
        return BAD_LENGTH;
    const byte *end = frame + 2 + length;
    if (version == 1) {
        if (crc8(frame, 2 + length) != end[0])
            return BAD_SUM;
    } else if (version == 2) {
        half sum = crc16(frame, 2 + length);
        if (end[0] != sum >> 8 || end[1] != (sum & 0xFF))
            return BAD_SUM;
    } else {
        word sum = adler(frame, 2 + length);
        for (int i = 0; i < 4; i++)
            if (end[i] != (byte)(sum >> (24 - 8 * i)))
                return BAD_SUM;
    }
    return command(frame + 2, length);
}

int main(void)
{
    byte frame[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        frame[i] = __VERIFIER_nondet_uchar();
    opened = __VERIFIER_nondet_uchar() == 1;
    level = __VERIFIER_nondet_uchar();
    int count = __VERIFIER_nondet_uchar();
    if (LENGTH < count)
        return -1;
    return decode(frame, count);
}
