/* How full a tank is, for its controller: percent, from what the sensor reads when the tank is empty, when it is full, and now. */
extern void abort(void);

int level(int empty, int full, int now)
{
    int percent;
    if (empty < 0 || full > 4095 || full <= empty)
        return -1;                      /* the sensor has 12 bits */
    if (now < empty)
        return 0;
    percent = (now - empty) * 100 / (full - empty);
    if (percent < 0)
        percent = 0;                    /* to be safe */
    if (percent > 100)
        abort();                        /* cannot happen: the pump relies on it */
    return percent;
}
