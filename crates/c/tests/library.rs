//! The C library in C against the compiler's: the same results for the same strings, numbers and standard input.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

use c::interp::{Blind, Ending, InputValue, Interpreter, RecordedInputs, Settings};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A short text of few letters.
    fn text(&mut self, letters: &str, most: u64) -> String {
        let letters: Vec<char> = letters.chars().collect();
        (0..self.below(most + 1)).map(|_| letters[self.below(letters.len() as u64) as usize]).collect()
    }
}

const HEAD: &str = r#"#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <errno.h>
#include <math.h>
#include <wchar.h>
#include <arpa/inet.h>
static int sign(int x) { return (0 < x) - (x < 0); }
static int ascending(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
struct pair { char *name; int number; };
static int by_name(const void *a, const void *b) { return strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name); }
static void p(double x) { if (x != x) printf("nan "); else printf("%.17g ", x); }
static long at(const char *base, const char *found) { return found ? found - base : -1; }
"#;

/// Calls of functions on strings.
fn strings(random: &mut Random) -> String {
    let mut body = String::new();
    for _ in 0..12 {
        let (one, other) = (random.text("abcAB", 7), random.text("abAB", 3));
        let (letter, count) = (random.text("abc", 1) + "a", random.below(6));
        let letter = letter.chars().next().expect("a letter");
        let _ = write!(
            body,
            r#"{{ char t[40] = "{one}", u[40] = "{one}", v[40] = "{one}"; const char *o = "{other}";
printf("%ld %zu %zu %ld %ld %zu\n", at(t, strstr(t, o)), strspn(t, o), strcspn(t, o), at(t, strpbrk(t, o)), at(t, strrchr(t, '{letter}')), strnlen(t, {count}));
printf("%d %d %ld\n", sign(strcasecmp(t, o)), sign(strncasecmp(t, o, {count})), at(t, memchr(t, '{letter}', {count})));
printf("%s ", strcat(t, o)); printf("%s ", strncat(u, o, {count})); printf("%s ", strncpy(v, o, {count})); printf("%ld\n", at(v, stpcpy(v, o)));
char *copy = strdup(t); printf("%s\n", copy); free(copy); }}
"#
        );
        let list = random.text("ab,;", 9);
        let _ = write!(
            body,
            r#"{{ char t[40] = "{list}", u[40] = "{list}"; char *rest = u, *part;
for (char *w = strtok(t, ",;"); w; w = strtok(NULL, ",;")) printf("<%s>", w);
while ((part = strsep(&rest, ",;"))) printf("[%s]", part);
puts(""); }}
"#
        );
    }
    body
}

/// Calls of functions that read numbers out of strings.
fn numbers(random: &mut Random) -> String {
    let mut body = String::new();
    for _ in 0..14 {
        let (text, base) = (random.text(" -+0x19afz", 8), [0, 2, 8, 10, 16, 36][random.below(6) as usize]);
        let large = random.text("123456789", 22);
        let real = random.text(" +-.0159eEx", 9);
        let _ = write!(
            body,
            r#"{{ const char *t = "{text}", *l = "-{large}", *r = "{real}"; char *e; errno = 0;
printf("%ld ", strtol(t, &e, {base})); printf("%ld ", at(t, e)); printf("%lu %lld ", strtoul(t, NULL, {base}), strtoll(l, NULL, 10)); printf("%d ", errno);
printf("%lu %llu %ld %ld\n", strtoul(l + 1, NULL, 16), strtoull(l, NULL, 10), atol(t), atol(l));
printf("%.17g ", strtod(r, &e)); printf("%ld %.17g\n", at(r, e), atof(r)); }}
"#
        );
        let words = random.text(" -17ax.", 9);
        let _ = write!(
            body,
            r#"{{ int a = 1, b = 2; unsigned c = 3; char w[20] = "", x = '?'; long l = 4; short s = 5;
printf("%d ", sscanf("{words}", "%d %x", &a, &c)); printf("%d %u\n", a, c);
printf("%d ", sscanf("{words}", "%3s%c %2d", w, &x, &b)); printf("%s %d %d\n", w, x, b);
printf("%d ", sscanf("{words}", " %li.%hd", &l, &s)); printf("%ld %d\n", l, s);
printf("%d ", sscanf("{words}", "%*d%u", &c)); printf("%u\n", c); }}
"#
        );
        let items: Vec<String> = (0..1 + random.below(8)).map(|_| random.below(9).to_string()).collect();
        let _ = write!(
            body,
            r#"{{ int v[] = {{ {} }}; size_t n = sizeof v / sizeof *v; int key = {}; qsort(v, n, sizeof *v, ascending);
for (size_t i = 0; i < n; i++) printf("%d ", v[i]); int *f = bsearch(&key, v, n, sizeof *v, ascending); printf("%d\n", f ? *f : -1); }}
"#,
            items.join(", "),
            random.below(9)
        );
    }
    body + r#"struct pair p[] = { { "pear", 1 }, { "apple", 2 }, { "fig", 3 }, { "date", 4 } };
qsort(p, 4, sizeof *p, by_name); for (int i = 0; i < 4; i++) printf("%s%d ", p[i].name, p[i].number); puts("");
"#
}

/// Calls of functions on floating numbers and of small functions that few programs use.
fn floats(random: &mut Random) -> String {
    let special = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "2.5", "-2.5", "1.0/0", "-1.0/0", "5e-324", "1e308"];
    let mut number = |exponents: u64| match random.below(3) {
        0 => special[random.below(special.len() as u64) as usize].to_owned(),
        1 => format!("{}.{}", random.below(20) as i64 - 10, [0, 25, 5, 49, 75][random.below(5) as usize]),
        _ => format!(
            "-{}.{}e{}",
            random.below(10),
            random.below(9999),
            random.below(exponents) as i64 - exponents as i64 / 2
        ),
    };
    let mut body = String::new();
    for round in 0..40 {
        let (one, other, third) = (number(600), number(600), number(40));
        let small = number(30);
        let (count, low, high) = (round * 53 - 1060, round * 7919 - 99_000, round % 9 + 1);
        let _ = write!(
            body,
            r#"{{ volatile double x = {one}, y = {other}, z = {third}, s = {small}; volatile float f = (float)({small}), g = (float)({third}); double w; int e; float h;
if (fabs(s) < 1e15) printf("%ld %lld %ld %lld %ld %ld\n", lround(s), llround(s), lrint(s), llrint(s), lroundf(f), lrintf(f));
p(fdim(x, y)); p(remainder(x, y)); p(fma(x, y, z)); p(ldexp(x, {count})); p(scalbn(s, {high})); p(nextafter(x, y)); p(hypot(x, y)); puts("");
printf("%d ", ilogb(x)); p(logb(x)); w = 0; p(modf(x, &w)); p(w); e = 7; p(frexp(x, &e)); printf("%d\n", isfinite(x) ? e : 0);
p(exp2(s)); p(expm1(s)); p(log1p(fabs(s))); p(tanh(s)); p(atan(x)); puts("");
p(sinf(f)); p(powf(fabsf(f), g)); p(hypotf(f, g)); p(exp2f(f)); p(fmaf(f, g, f)); h = 0; p(modff(f, &h)); p(h); p(nextafterf(f, g)); p(ldexpf(f, {count})); puts("");
printf("%d %d %d %d %d\n", isnan(x) != 0, isinf(y) != 0, signbit(x) != 0, __finite(x) != 0, fpclassify(x));
div_t d = div({low}, {high}); ldiv_t l = ldiv({low}L, {high}); printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
printf("%u %u %u %u\n", htons({count} & 65535), ntohs(515), htonl({low}), ntohl(16909060)); }}
"#
        );
    }
    for _ in 0..8 {
        let (one, other) = (random.text("abAB", 7), random.text("abAB", 2));
        let (letter, count) = (random.text("abc", 1) + "a", random.below(6));
        let letter = letter.chars().next().expect("a letter");
        let _ = write!(
            body,
            r#"{{ const char *t = "{one}", *o = "{other}"; char *c = strndup(t, {count}); printf("%s %ld %ld %ld ", c, at(t, strchrnul(t, '{letter}')), at(t, strcasestr(t, o)), at(t, memmem(t, strlen(t), o, strlen(o)))); free(c);
printf("%d %ld %zu\n", sign(strcoll(t, o)), at(t, memrchr(t, '{letter}', strlen(t))), wcslen(L"{one}")); }}
"#
        );
    }
    body
}

/// What reads standard input.
const READER: &str = r#"int main(void) {
  char line[8], data[6], word[10]; int number = -1; unsigned hex = 7;
  while (fgets(line, sizeof line, stdin)) { printf("[%s]", line); if (line[0] == '.') break; }
  int c = fgetc(stdin); printf("%d ", c); c = getc(stdin); printf("%d\n", c);
  printf("%d ", scanf("%d", &number)); printf("%d\n", number);
  printf("%d ", scanf(" %3x ,%5s", &hex, word)); printf("%u\n", hex);
  size_t n = fread(data, 2, 3, stdin); printf("%zu", n); for (size_t i = 0; i < 2 * n; i++) printf(" %d", data[i]);
  printf(" %d\n", fgetc(stdin));
  return 0;
}
"#;

fn check(text: &str, input: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, program) = (folder.path().join("library.c"), folder.path().join("library"));
    std::fs::write(&file, text).expect("written");
    let built = Command::new("cc")
        .args(["-w", "-O0", "-fno-builtin", "-o"])
        .arg(&program)
        .arg(&file)
        .arg("-lm")
        .output()
        .expect("cc runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut child =
        Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
    child.stdin.take().expect("piped").write_all(input).expect("it is read, or the program ends");
    let theirs = child.wait_with_output().expect("it ends");
    let translation = c::load(&[file], &c::Options::default()).expect("the program is correct");
    let main = translation.program.function_named("main").expect("main");
    let mut bytes = RecordedInputs::default();
    bytes.strict = true;
    input.iter().for_each(|&byte| bytes.push("getchar()", InputValue::Integer(byte.into())));
    bytes.push("getchar()", InputValue::Integer(-1));
    let ours = Interpreter::new(&translation.program, Settings::default()).run(main, &mut bytes, &mut Blind);
    assert!(matches!(ours.ending, Ending::Returned(_)), "{:?}\n{text}", ours.ending);
    let (ours, theirs) = (String::from_utf8_lossy(&ours.output), String::from_utf8_lossy(&theirs.stdout));
    assert_eq!(ours, theirs, "{text}\n{input:?}");
}

#[test]
fn the_library_does_what_the_compilers_does() {
    if !Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: cc is not installed");
        return;
    }
    for seed in 1..=3 {
        let mut random = Random(seed);
        let (strings, numbers) = (strings(&mut random), numbers(&mut random));
        check(&format!("{HEAD}int main(void) {{\n{strings}{numbers}return 0; }}\n"), b"");
        check(&format!("{HEAD}int main(void) {{\n{}return 0; }}\n", floats(&mut random)), b"");
    }
    let reader = format!("#include <stdio.h>\n{READER}");
    for input in ["", "ab\n.\nxy12 ff,word-1234567", "a long line\n\n.", ".\n\n\n  -77 zz", ".x  0x1f ,a b c d e f"] {
        check(&reader, input.as_bytes());
    }
}

#[test]
fn arrays_of_variable_length_and_stack_memory() {
    let text = r#"#include <stdlib.h>
#include <stdio.h>
static int sum(int n, int a[n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int main(void) {
  for (int n = 1; n < 5; n++) {
    int a[n * 2], m[n][3]; char *p = __builtin_alloca(n + 1);
    for (int i = 0; i < 2 * n; i++) a[i] = i * n;
    for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) m[i][j] = i - j;
    p[n] = 'x';
    printf("%zu %zu %zu %d %d %c\n", sizeof a, sizeof m, sizeof a / sizeof a[0], sum(2 * n, a), m[n - 1][2], p[n]);
  }
  return 0;
}
"#;
    if Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        check(text, b"");
    }
}
