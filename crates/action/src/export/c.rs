//! Adaptive tests as a C11 program.

use std::fmt::Write;

use testcase::Suite;
use testcase::export::comment;

use super::{File, Point, points, stem};

pub(super) fn write(suite: &Suite) -> Vec<File> {
    let mut tables = String::new();
    let mut list = String::new();
    for (number, test) in suite.tests.iter().enumerate() {
        let id = &format!("t{}", number + 1);
        let points = points(test);
        for (number, point) in points.iter().enumerate() {
            table(&mut tables, &format!("{id}_p{number}_allowed"), &point.allowed);
            table(&mut tables, &format!("{id}_p{number}_after"), &point.after);
            table(&mut tables, &format!("{id}_p{number}_steps"), &flat(point));
        }
        let _ = writeln!(tables, "static const struct point {id}[] = {{");
        for (number, point) in points.iter().enumerate() {
            let name = format!("{id}_p{number}");
            let kind = point.kind.to_uppercase();
            let _ = writeln!(
                tables,
                "    {{ {kind}, {}, {name}_allowed, {name}_after, {name}_steps, {}, {}, {} }},",
                quoted(&point.label),
                quoted(&point.state),
                i32::from(point.refusable),
                i32::from(point.waits)
            );
        }
        let _ = writeln!(tables, "}};");
        let _ = writeln!(list, "    {{ {}, {id}, sizeof {id} / sizeof *{id} }},", quoted(&test.id));
    }
    let program = TEMPLATE
        .replace("@SOURCE@", &comment(&suite.source.file))
        .replace("@TABLES@", &tables)
        .replace("@TESTS@", &list);
    vec![(format!("{}_adaptive.c", stem(suite)), program), ("specimen_adapter.h".to_owned(), HEADER.to_owned())]
}

/// States by label as one list: a label begins with `>`, its states follow.
fn flat(point: &Point) -> Vec<String> {
    let group = |(label, states): &(String, Vec<String>)| [vec![format!(">{label}")], states.clone()].concat();
    point.steps.iter().flat_map(group).collect()
}

fn table(text: &mut String, name: &str, items: &[String]) {
    let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
    let comma = if items.is_empty() { "" } else { ", " };
    let _ = writeln!(text, "static const char *const {name}[] = {{ {}{comma}0 }};", items.join(", "));
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                quoted.push('\\');
                quoted.push(byte as char);
            }
            // Octal escapes end after three digits, whatever follows.
            0..32 | 127.. => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
            _ => quoted.push(byte as char),
        }
    }
    quoted.push('"');
    quoted
}

const HEADER: &str = r#"/* How the adaptive tests drawn by specimen reach the system: define these functions. */
#ifndef SPECIMEN_ADAPTER_H
#define SPECIMEN_ADAPTER_H

/* Brings the system into its initial state. */
void specimen_reset(void);

/* Gives an input such as "close" or "after(20)". 1 if the system takes it, 0 if it refuses, -1 if nobody knows. */
int specimen_give(const char *label);

/* The next output such as "armedOn", 0 for none; waits as long as silence takes, or not at all. */
const char *specimen_watch(int wait);

/* Writes the values of the model's variables, separated by blanks, where they can be seen; 0 otherwise. */
int specimen_state(char *text, unsigned size);

#endif
"#;

const TEMPLATE: &str = r#"/* Adaptive tests drawn by specimen from @SOURCE@. Do not edit: draw them again.
 *
 * Link with an adapter that defines the functions of specimen_adapter.h. A test passes, fails, or is inconclusive when the
 * system goes another way the model allows. The exit code is 1 if a test fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "specimen_adapter.h"

enum kind { INPUT, OUTPUT, INTERNAL, SILENCE, WATCH, TRY, OPEN };
enum verdict { PASS, FAIL, INCONCLUSIVE };

struct point {
    enum kind kind;
    const char *label;
    const char *const *allowed;
    const char *const *after;
    const char *const *steps;
    const char *state;
    int refusable; /* whether the model may take the input or refuse it */
    int waits;     /* whether to wait before the input, to see that nothing comes */
};

struct test {
    const char *name;
    const struct point *points;
    size_t count;
};

@TABLES@
static const struct test tests[] = {
@TESTS@};

/* Whether an allowed output is this one: level(3), level(0..100) or level(*). */
static int covers(const char *pattern, const char *label)
{
    size_t length = strcspn(pattern, "(");
    char *end;
    long long low, high, value;
    if (strcmp(pattern, label) == 0)
        return 1;
    if (pattern[length] != '(' || strncmp(pattern, label, length + 1) != 0)
        return 0;
    if (strcmp(pattern + length, "(*)") == 0)
        return 1;
    low = strtoll(pattern + length + 1, &end, 10);
    if (strncmp(end, "..", 2) != 0)
        return 0;
    high = strtoll(end + 2, 0, 10);
    value = strtoll(label + length + 1, &end, 10);
    return *end == ')' && low <= value && value <= high;
}

static int allowed(const char *const *patterns, const char *seen)
{
    for (; *patterns; patterns++)
        if (covers(*patterns, seen ? seen : "(silence)"))
            return 1;
    return 0;
}

static enum verdict unexpected(const struct point *point, const char *seen, const char *wanted)
{
    int fine = allowed(point->allowed, seen);
    printf("  %s instead of %s%s\n", seen ? seen : "nothing", wanted, fine ? ", which the model allows" : "");
    return fine ? INCONCLUSIVE : FAIL;
}

/* Whether the model refuses the input of a point: no state is listed for it. */
static int refused(const struct point *point)
{
    return !point->steps[0] || !point->steps[1] || point->steps[1][0] == '>';
}

/* Fails in a state the model does not allow; is inconclusive in one it allows but the trace does not go on from. */
static enum verdict check_state(const struct point *point, const char *label)
{
    char text[65536];
    const char *const *step = point->steps;
    if (!specimen_state(text, sizeof text))
        return PASS;
    while (*step && !(**step == '>' && strcmp(*step + 1, label) == 0))
        step++;
    if (!*step)
        return PASS;
    for (step++; *step && **step != '>'; step++)
        if (strcmp(*step, text) == 0)
            return !*point->state || strcmp(point->state, text) == 0 ? PASS : INCONCLUSIVE;
    printf("  after %s the state is %s, which the model does not allow\n", label, text);
    return FAIL;
}

/* Gives an input that the model takes in some state it may be in. Where it refuses it in another, a refusal says nothing. */
static enum verdict give(const struct point *point)
{
    int taken = specimen_give(point->label);
    if (point->refusable && taken != 1) {
        printf("  the system does not take %s, which the model allows\n", point->label);
        return INCONCLUSIVE;
    }
    if (taken == 0) {
        printf("  the system refuses %s\n", point->label);
        return FAIL;
    }
    return PASS;
}

static enum verdict run(const struct test *test)
{
    size_t index;
    specimen_reset();
    for (index = 0; index < test->count; index++) {
        const struct point *point = test->points + index;
        const char *seen;
        enum verdict verdict = PASS;
        switch (point->kind) {
        case INTERNAL:
            break;
        case OPEN:
            printf("  the model may be in more states than were followed\n");
            return INCONCLUSIVE;
        case INPUT:
            seen = specimen_watch(point->waits);
            if (seen)
                return unexpected(point, seen, "waiting for an input");
            verdict = give(point);
            if (verdict == PASS)
                verdict = check_state(point, point->label);
            break;
        case OUTPUT:
            seen = specimen_watch(1);
            if (!seen || strcmp(seen, point->label) != 0)
                return unexpected(point, seen, point->label);
            verdict = check_state(point, point->label);
            break;
        case SILENCE:
            seen = specimen_watch(1);
            if (seen)
                return unexpected(point, seen, "silence");
            break;
        case WATCH:
            seen = specimen_watch(1);
            if (!allowed(point->allowed, seen)) {
                printf("  %s at the end, which the model does not allow\n", seen ? seen : "nothing");
                return FAIL;
            }
            verdict = check_state(point, seen ? seen : "(silence)");
            break;
        case TRY:
            seen = specimen_watch(point->waits);
            if (seen)
                return unexpected(point, seen, "waiting for an input");
            if (refused(point)) {
                if (specimen_give(point->label) == 1) {
                    printf("  the system takes %s, which the model refuses\n", point->label);
                    return FAIL;
                }
                break;
            }
            verdict = give(point);
            if (verdict == PASS)
                verdict = check_state(point, point->label);
            if (verdict != PASS)
                return verdict;
            seen = specimen_watch(1);
            if (!allowed(point->after, seen)) {
                printf("  %s after %s, which the model does not allow\n", seen ? seen : "nothing", point->label);
                return FAIL;
            }
            break;
        }
        if (verdict != PASS)
            return verdict;
    }
    return PASS;
}

int main(void)
{
    static const char *const names[] = { "pass", "fail", "inconclusive" };
    int counts[3] = { 0, 0, 0 };
    const char *tries = getenv("SPECIMEN_TRIES");
    int again = tries ? atoi(tries) - 1 : 9;
    size_t index;
    for (index = 0; index < sizeof tests / sizeof *tests; index++) {
        enum verdict verdict = run(tests + index);
        int left = again;
        /* The system went another way that the model allows: perhaps it goes the wanted one next time. */
        while (verdict == INCONCLUSIVE && left-- > 0)
            verdict = run(tests + index);
        printf("%s %s\n", tests[index].name, names[verdict]);
        counts[verdict]++;
    }
    printf("%d passed, %d failed, %d inconclusive\n", counts[PASS], counts[FAIL], counts[INCONCLUSIVE]);
    return counts[FAIL] != 0;
}
"#;
