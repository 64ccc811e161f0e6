/* A car alarm in C with the adapter that the tests of car_alarm.as need.
 *
 * Compile with -DFAULT_SLOW, -DFAULT_LOUD or -DFAULT_DOORS to build a mistake in: arming after 30 seconds, a horn that is
 * never switched off, doors that are taken for closed when the alarm is unlocked. */
#include <stdio.h>
#include <string.h>

#include "specimen_adapter.h"

enum { ARMING = 1, DISARMING = 2, LAMPS = 4, HORN = 8, HUSH = 16 };

static const struct { const char *label; int from, to, pending; } moves[] = {
    { "close", 0, 1, 0 }, { "close", 2, 3, 0 }, { "close", 7, 4, ARMING },
    { "open", 1, 0, 0 }, { "open", 3, 2, 0 }, { "open", 4, 5, DISARMING | LAMPS | HORN },
    { "lock", 0, 2, 0 }, { "lock", 1, 3, 0 },
    { "unlock", 2, 0, 0 }, { "unlock", 3, 1, 0 }, { "unlock", 4, 1, DISARMING },
#ifdef FAULT_DOORS
    { "unlock", 5, 1, LAMPS | HORN },
#else
    { "unlock", 5, 0, LAMPS | HORN },
#endif
    { "unlock", 6, 0, LAMPS | HORN }, { "unlock", 7, 0, 0 },
#ifdef FAULT_SLOW
    { "after(30)", 3, 4, ARMING },
#else
    { "after(20)", 3, 4, ARMING },
#endif
    { "after(30)", 5, 6, HUSH }, { "after(270)", 6, 7, LAMPS | HORN },
};

static int place, pending;

void specimen_reset(void)
{
    place = pending = 0;
}

int specimen_give(const char *label)
{
    size_t index;
    for (index = 0; !pending && index < sizeof moves / sizeof *moves; index++)
        if (moves[index].from == place && strcmp(moves[index].label, label) == 0) {
            place = moves[index].to;
            pending = moves[index].pending;
            return 1;
        }
    return 0;
}

static int emit(int flags)
{
    int due = pending & flags;
    pending &= ~flags;
    return due;
}

const char *specimen_watch(int wait)
{
    (void)wait;
    if (emit(ARMING))
        return "armedOn";
    if (emit(DISARMING))
        return "armedOff";
    if (place == 5)
        return emit(LAMPS) ? "flashOn" : emit(HORN) ? "soundOn" : 0;
    if (emit(LAMPS))
        return "flashOff";
#ifdef FAULT_LOUD
    pending &= ~(HORN | HUSH);
#endif
    return emit(HORN | HUSH) ? "soundOff" : 0;
}

int specimen_state(char *text, unsigned size)
{
    snprintf(text, size, "%d %d %d %d %d %d", place, !!(pending & ARMING), !!(pending & DISARMING), !!(pending & LAMPS),
             !!(pending & HORN), !!(pending & HUSH));
    return 1;
}
