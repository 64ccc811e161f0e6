//! Writes random C programs with two small inputs, as people write them: records in records, bit-fields, unions, tables of
//! functions, static locals, jumps, loops of every kind, mixed signs and widths, floating numbers, text.
//!
//! No expression has two side effects whose order matters. Undefined behaviour happens now and then, of the kinds that sanitisers see.

use std::fmt::Write;

/// A program, and how many of its places call `hit`.
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) hits: usize,
}

/// What stands in front of every program. Nothing is included, so that the text need not be preprocessed.
pub(crate) const HEAD: &str = "\
void hit(int); int printf(const char *, ...); int snprintf(char *, unsigned long, const char *, ...);
void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
unsigned long strlen(const char *); int strcmp(const char *, const char *);
void *malloc(unsigned long); void free(void *); void abort(void); void exit(int);
void stop(int) __attribute__((noreturn));
typedef unsigned char u8; typedef signed char s8; typedef unsigned short u16; typedef unsigned long long u64;
enum color { RED = -1, GREEN = 2, BLUE };
struct point { s8 x; u8 y; };
struct bits { unsigned lo : 3; int mid : 5; unsigned hi : 9; _Bool on : 1; long long wide : 35; unsigned : 0; u8 last : 4; };
struct __attribute__((packed)) tight { unsigned a : 5; unsigned b : 12; u16 c; unsigned long d : 40; s8 e; };
union both { struct { u8 low, high; } half; u16 word; s8 sign; };
struct outer { struct point at; struct point list[3]; union { int whole; u8 bytes[4]; struct point p; } u; struct bits b; char name[6];
  struct outer *next; };
struct shape { enum color kind; int (*size)(const struct shape *); union { struct point p; int side; } as; };
static struct outer box = { .at = { 1, 2 }, .list = { { 3, 4 }, { -5, 6 } }, .name = \"ab\" }, boxes[2];
static const s8 table[5] = { 3, -1, 4, 0, 5 };
static int grid[2][3] = { { 1, 2, 3 }, { 4 } };
static const char *const words[3] = { \"red\", \"\", \"blue\" };
static unsigned calls; static struct tight pack = { 1, 2, 3, 4, 5 }; static union both two;
static int add(int x, int y) { return (int)((unsigned)x + (unsigned)y); }
static int less(int x, int y) { return x < y; }
static int mask(int x, int y) { return x & ~y; }
static int (*const ops[3])(int, int) = { add, less, mask };
static int old(int n) { static int last = 3; int was = last; last = n; calls++; return was; }
static struct point turned(struct point p) { struct point q = { (s8)p.y, (u8)p.x }; return q; }
static int total(int n, ...) { __builtin_va_list all; int sum = 0; __builtin_va_start(all, n);
  for (; n > 0; n--) sum += __builtin_va_arg(all, int); __builtin_va_end(all); return sum; }
static void moved(void *to, const void *from, unsigned n) { u8 *t = to; const u8 *f = from; while (n--) *t++ = *f++; }
static int point_size(const struct shape *s) { return s->as.p.x + s->as.p.y; }
static int side_size(const struct shape *s) { return s->as.side * 2; }
static int find(const char *s, char c) { const char *p; for (p = s; *p; ++p) if (*p == c) return (int)(p - s); return -1; }
static unsigned gcd(unsigned x, unsigned y) { return y ? gcd(y, x % y) : x; }
static int clamp(int v, int lo, int hi) { if (v < lo) v = lo; else if (v > hi) v = hi; return v; }
extern volatile unsigned port; extern volatile u8 ports[2]; static volatile int flag;
struct saved { long long room[32]; }; static struct saved spot;
int _setjmp(struct saved *) __attribute__((returns_twice)); void longjmp(struct saved *, int) __attribute__((noreturn));
static void leap(int v) { if (v) longjmp(&spot, v); calls++; }
struct ring { u8 samples[4]; u8 next; signed char sum; struct { short pair[2]; } tail; }; static struct ring ring = { .next = 1 };
static void put(struct ring *r, int v) { r->samples[r->next & 7] = (u8)v; r->next++; if (r->sum > 40) r->sum -= 40; r->sum += v & 7; }
union word { struct { unsigned low : 4; signed high : 4; } nibble; u8 all; }; static union word word;
static int apply(int (*f)(int, int), int x) { return f == less ? x & 3 : f ? f(x, 2) : -1; }
";

/// Integer places that exist everywhere, with what they hold at most.
const PLACES: &[&str] = &[
    "i",
    "u",
    "s",
    "c",
    "k",
    "l",
    "box.at.x",
    "box.at.y",
    "box.list[1].x",
    "box.list[i & 1].y",
    "box.u.whole",
    "box.u.bytes[1]",
    "box.b.lo",
    "box.b.mid",
    "box.b.hi",
    "box.b.on",
    "box.b.wide",
    "box.b.last",
    "box.name[1]",
    "boxes[u & 1].at.x",
    "pack.a",
    "pack.b",
    "pack.c",
    "pack.d",
    "pack.e",
    "two.word",
    "two.half.high",
    "two.sign",
    "grid[u & 1][2]",
    "*p",
    "q->at.y",
    "q->u.p.x",
    "color",
    "truth",
    "calls",
];

pub(crate) struct Writer {
    state: u64,
    text: String,
    hits: usize,
    names: usize,
    depth: u32,
    /// Whether a loop or a `switch` is around.
    loops: u32,
    /// Whether places are saved and jumped to, and volatile variables read: what is behind that is seldom proved, so few programs do.
    leaps: bool,
    reads_volatile: bool,
}

impl Writer {
    pub(crate) fn new(seed: u64) -> Writer {
        let state = seed.wrapping_mul(0x9e6c_63d0_876a_3f6b) ^ 0x0c0d_e5ee;
        let (leaps, reads_volatile) = (seed.is_multiple_of(8), seed % 8 == 1);
        Writer { state, text: String::new(), hits: 0, names: 0, depth: 0, loops: 0, leaps, reads_volatile }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn one<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth as usize + 1);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn hit(&mut self) {
        let number = self.hits;
        self.hits += 1;
        self.line(&format!("hit({number});"));
    }

    /// The program: `f` has a signed and an unsigned input of which it looks at four and three bits.
    pub(crate) fn program(mut self) -> Written {
        self.text.push_str(HEAD);
        self.function();
        self.text.push_str("int f(signed char a, unsigned char b)\n{\n");
        self.line("a = (signed char)((a & 15) - 8); b &= 7;");
        let start = ["a + 1", "a * 2", "b - a", "-a"][self.below(4)];
        self.line(&format!("int i = {start}, k = 2; unsigned u = b; short s = 7; char c = 'c'; long l = a; double d = b / 2.0; float e = 0.5f;"));
        self.line("enum color color = GREEN; _Bool truth = a; int *p = &k; struct outer *q = &box; int (*op)(int, int) = add; char out[24];");
        for _ in 0..4 + self.below(5) {
            self.statement();
        }
        self.hit();
        self.line("printf(\"%d %u %d %d %ld %g %g\\n\", i, u, s, c, l, d, (double)e);");
        self.line("printf(\"%d %d %d %d %u %s\\n\", box.at.x, box.list[1].x, box.b.mid, (int)box.b.hi, (unsigned)pack.b, box.name);");
        self.line("return (int)((unsigned)i * 31u + u + (unsigned)k);");
        self.text.push_str("}\n");
        Written { text: self.text, hits: self.hits }
    }

    /// A function of its own, with locals, a switch that falls through and an early return.
    fn function(&mut self) {
        let (one, two, three) = (self.below(5), 5 + self.below(4), self.below(4));
        let (ty, result) = (
            self.one(&["int", "unsigned char", "short", "unsigned", "signed char"]),
            self.one(&["int", "unsigned", "s8"]),
        );
        let _ = writeln!(self.text, "static {result} own({ty} n, int m)\n{{\n  int r = m;\n  switch (n) {{");
        let _ = writeln!(self.text, "  case {one}: r += 1;");
        self.hit();
        let _ = writeln!(
            self.text,
            "  case {two}: r ^= 2; break;\n  default: if (m > n && n > {three}) return ({result})n;"
        );
        self.hit();
        self.text.push_str("  }\n  return r;\n}\n");
    }

    fn block(&mut self) {
        self.depth += 1;
        self.hit();
        for _ in 0..1 + self.below(2) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let forms = if 2 < self.depth { 20 } else { 32 };
        let n = self.name();
        match self.below(forms) {
            0 | 1 => self.assignment(),
            2 => self.compound(),
            3 => self.records(n),
            4 => self.pointers(n),
            5 => self.calls(n),
            6 => self.unions(),
            7 => self.floats(),
            8 => self.texts(n),
            9 => self.scopes(n),
            10 => self.effects(),
            11 => self.endings(n),
            12 => self.memory(n),
            13 => self.shapes(n),
            14 => self.narrow(),
            15 => self.leave(),
            16 => self.inner(),
            17 => self.ports(),
            18 => self.callbacks(n),
            19 => self.fields(n),
            20..=22 => self.choice(),
            23 | 24 => self.counted(n),
            25 => self.guarded(n),
            26 => self.switch(),
            27 => self.jump(n),
            28 => self.machine(n),
            29 => self.into(n),
            30 if self.leaps => self.leap(n),
            30 => self.fields(n),
            _ => self.duff(n),
        }
    }

    fn assignment(&mut self) {
        let (place, value) = (self.place(), self.value(2));
        self.line(&format!("{place} = {value};"));
    }

    fn compound(&mut self) {
        let (place, value) = (self.place(), self.value(1));
        match self.below(7) {
            0 => self.line(&format!("{place}++;")),
            1 => self.line(&format!("--{place};")),
            2 => self.line(&format!("{place} <<= ({value}) & 3;")),
            3 => self.line(&format!("{place} >>= ({value}) & 7;")),
            4 => self.line(&format!("{place} %= 5;")),
            _ => {
                let operator = self.one(&["+=", "-=", "^=", "|=", "&=", "*="]);
                self.line(&format!("{place} {operator} {value};"));
            }
        }
    }

    /// Structures as values, nested and in arrays.
    fn records(&mut self, n: usize) {
        let (value, other, place) = (self.value(1), self.value(1), self.place());
        let form = self.below(7);
        self.line(&match form {
            0 => format!("{{ struct point t{n} = box.at; t{n}.x = ({value}) & 15; box.list[2] = t{n}; {place} = box.list[2].x; }}"),
            1 => "box.at = turned(box.list[1]);".to_owned(),
            2 => format!("boxes[({value}) & 1] = box; {place} = boxes[1].list[0].y;"),
            3 => format!("q = ({value}) & 1 ? &boxes[0] : &box; q->b.mid = ({other}) & 15; {place} = q->b.mid + q->b.lo;"),
            4 => format!("box.list[({value}) & 1] = (struct point){{ .y = 9 }}; u += box.list[0].y;"),
            5 => format!("{{ struct {{ int in[2]; struct point at; }} w{n} = {{ {{ 1 }}, {{ ({value}) & 7, 2 }} }}, v{n} = w{n}; {place} = v{n}.in[1] + v{n}.at.x; }}"),
            _ => format!("box.next = ({value}) > 2 ? &boxes[1] : (struct outer *)0; if (box.next && box.next->at.x == 3) {place} = 1;"),
        });
    }

    fn pointers(&mut self, n: usize) {
        let (value, place) = (self.value(1), self.place());
        let form = self.below(7);
        self.line(&match form {
            0 => format!("p = ({value}) & 1 ? &i : &k; *p ^= 3;"),
            1 => format!("{{ void *any = &u; *(unsigned *)any += 2; {place} = *(unsigned *)any == 5; }}"),
            2 => format!("moved(&box.at, &box.list[({value}) & 1], sizeof box.at); {place} = box.at.y;"),
            3 => format!("{{ int **w{n} = &p; **w{n} = ({value}) & 31; {place} = *p; }}"),
            4 => format!(
                "{{ const s8 *t{n} = table + (({value}) & 3); {place} = t{n}[1] + *t{n} + (int)(&table[4] - t{n}); }}"
            ),
            5 => format!("{{ int (*row)[3] = &grid[({value}) & 1]; (*row)[1] += 2; {place} = row[0][1]; }}"),
            _ => format!("{place} = p == &k ? 4 : p == &i;"),
        });
    }

    /// Calls, some with a declaration right behind them.
    fn calls(&mut self, n: usize) {
        let (one, two, place) = (self.value(1), self.value(1), self.place());
        let form = self.below(9);
        self.line(&match form {
            0 => format!("old(({one}) & 7); int h{n}; h{n} = {two}; i ^= h{n};"),
            1 => format!("op = ops[(unsigned)({one}) % 3]; {place} = op({two}, 3);"),
            2 => format!("{place} = (({one}) & 1 ? less : mask)({two}, 4);"),
            3 => format!("{place} = own(({one}) & 15, {two});"),
            4 => format!("{place} = total(3, (int)({one}) & 255, 2, (int)(({two}) & 15));"),
            5 => format!("{place} = (int)gcd(({one}) & 15, ({two}) & 7);"),
            6 => format!("{place} = clamp({one}, -2, 5);"),
            7 => format!("{place} = old(({one}) & 7) + 1;"),
            _ => format!(
                "{{ own(3, k); struct point z{n}; z{n}.x = 1; z{n}.y = ({two}) & 7; {place} = turned(z{n}).x; }}"
            ),
        });
    }

    fn unions(&mut self) {
        let (value, place) = (self.value(1), self.place());
        let form = self.below(4);
        self.line(&match form {
            0 => format!("two.word = (u16)({value}); {place} = two.half.low + two.half.high;"),
            1 => format!("box.u.whole = ({value}) & 0xffff; {place} = box.u.bytes[1] ^ box.u.p.x;"),
            2 => format!("pack.d = ({value}) & 255; pack.d <<= 33; {place} = pack.d != 0;"),
            _ => format!("two.half.high = 1; two.sign = (s8)({value}); {place} = two.word > 300;"),
        });
    }

    fn floats(&mut self) {
        let (value, place) = (self.value(1), self.place());
        let form = self.below(6);
        self.line(&match form {
            0 => format!("d = ({value}) * 0.5;"),
            1 => format!("e = (float)(({value}) & 63) / 4 - e;"),
            2 => format!("{place} = (int)(d > 100 ? 100 : d < -100 ? -100 : d);"),
            3 => format!("{place} = d < e || d == 2.5;"),
            4 => format!("if (d > ({value})) e += 1.25f; else d -= 0.75;"),
            _ => format!("d = d > 1e6 || d < -1e6 ? 0 : -d; {place} = d >= 0.5;"),
        });
    }

    fn texts(&mut self, n: usize) {
        let (value, place) = (self.value(1), self.place());
        let form = self.below(7);
        self.line(&match form {
            0 => format!("c = (char)('a' + (({value}) & 7)); {place} = c >= 'c' && c <= 'e';"),
            1 => format!("{{ const char *w{n} = words[(unsigned)({value}) % 3]; {place} = (int)strlen(w{n}) + find(w{n}, 'e'); }}"),
            2 => format!("box.name[({value}) & 3] = 'x'; {place} = find(box.name, 'b');"),
            3 => format!("{place} = snprintf(out, sizeof out, \"%d-%c\", (int)({value}) & 255, 'a' + (b & 3));"),
            4 => format!("{place} = strcmp(words[b % 3], \"blue\") == 0 ? c - '0' : c & 0x5f;"),
            5 => format!("printf(\"%s %x\\n\", words[a & 1], (unsigned)({value}));"),
            _ => format!("{place} = (\"abc\"[({value}) & 3] | ' ') == 'b';"),
        });
    }

    /// Names that hide others, here and in loops.
    fn scopes(&mut self, n: usize) {
        let (one, two, place) = (self.value(1), self.value(1), self.place());
        let form = self.below(5);
        self.line(&match form {
            0 => format!("{{ int t{n} = ({one}) & 7; {{ int i = t{n}; {{ unsigned char i = 250; u += i; }} k = i; }} }}"),
            1 => format!("{{ int t{n} = ({one}) & 255; {{ short k = (short)t{n}; i = k; }} }}"),
            2 => format!("for (int u = 0; u < 2; u++) {{ int v{n}[2]; v{n}[u] = ({one}) & 9; old(u); char m{n}; m{n} = 1; box.at.y ^= v{n}[u] + m{n}; }}"),
            3 => format!("{{ static int kept{n}; kept{n} += ({one}) & 3; static const int start{n} = 4; if (kept{n} > 2) {place} = start{n}; }}"),
            _ => format!("{{ enum {{ LOW{n} = 2, HIGH{n} }}; typedef short t{n}; t{n} v = (t{n})({one}); {place} = v > HIGH{n} ? LOW{n} : ({two}); }}"),
        });
    }

    /// Side effects behind `&&`, `||`, `?:` and commas.
    fn effects(&mut self) {
        let (one, place) = (self.condition(1), self.place());
        let value = self.value(1);
        let form = self.below(7);
        self.line(&match form {
            0 => format!("if ({one} && (i = ({value}) & 63) > 3) u += 2;"),
            1 => format!("if (k++ > 2 || ++s > 9) {place} = 1;"),
            2 => format!("{one} ? (i = 5) : (k ^= 9);"),
            3 => format!("k = (s = 3, u++, ({value}) & 3);"),
            4 => format!("k = {one} ? 1 : ({value}) > 3 ? s++ : l < 2 ? --s : 7;"),
            5 => format!("truth = {one} && ({value}) != 4 && old(2) == 3;"),
            _ => format!("(void)({one} || (u -= 3, truth = !truth));"),
        });
    }

    /// What ends a run early.
    fn endings(&mut self, n: usize) {
        let (one, two) = (self.condition(0), self.condition(0));
        match self.below(8) {
            0 => self.line(&format!("if ({one} && {two} && b == 3) abort();")),
            1 => self.line(&format!("if ({one} && {two} && a == -3) exit({});", n % 50 + 10)),
            2 => self.line(&format!("if ({one} && {two} && b == 5) stop({n});")),
            3 => self.line(&format!("if ({one} && a == 4) return {n};")),
            4 => {
                let value = self.value(1);
                self.line(&format!("i = 100 / (({value}) & 15 ? 3 : b);"));
            }
            _ => self.line(&format!("if ({one}) {{ u ^= 1; }}")),
        }
    }

    fn memory(&mut self, n: usize) {
        let (value, place) = (self.value(1), self.place());
        let form = self.below(5);
        self.line(&match form {
            0 => format!("{{ int *m{n} = malloc(3 * sizeof *m{n}); m{n}[0] = ({value}) & 7; m{n}[2] = m{n}[0] + 1; {place} = m{n}[2]; free(m{n}); }}"),
            1 => format!("memset(&boxes[0].at, ({value}) & 127, sizeof boxes[0].at); {place} = boxes[0].at.x;"),
            2 => format!("{{ struct bits t{n}; memcpy(&t{n}, &box.b, sizeof t{n}); t{n}.hi += ({value}) & 7; memcpy(&box.b, &t{n}, sizeof t{n}); {place} = box.b.hi; }}"),
            3 => format!("{{ int v{n}[(b & 3) + 1]; for (int j = 0; j <= (b & 3); j++) v{n}[j] = j * 2; {place} = v{n}[b & 3] + (int)sizeof v{n}; }}"),
            _ => format!("{{ s8 t{n}[4] = {{ 1, [2] = -3 }}; t{n}[({value}) & 3] += 2; {place} = t{n}[0] * t{n}[2] + t{n}[3]; }}"),
        });
    }

    /// Indices that now and then leave an array inside of an object.
    fn inner(&mut self) {
        let (value, place) = (self.value(1), self.place());
        let form = self.below(9);
        self.line(&match form {
            0 => format!("box.name[({value}) & 7] = 'y';"),
            1 => format!("{place} = q->list[(unsigned)({value}) % 4].x;"),
            2 => format!("grid[({value}) & 1][b & 3] ^= 5;"),
            3 => format!("put(&ring, (int)({value})); {place} = ring.sum;"),
            4 => format!("{{ int *end = &grid[0][({value}) & 3]; {place} = (int)(end - grid[0]); }}"),
            5 => format!("{{ struct ring *r = &ring; {place} = r->tail.pair[({value}) & 1]; }}"),
            6 => format!("{place} = box.u.bytes[((unsigned)({value}) & 15) / 3];"),
            7 => format!("{{ int (*m)[3] = grid; {place} = (*m)[(b & 3) - (({value}) & 1)]; }}"),
            _ => format!("{{ u8 *r = ring.samples; r += ({value}) & 3; {place} = *r; }}"),
        });
    }

    /// Writes to devices that nobody defines, and volatile variables of the program.
    fn ports(&mut self) {
        let (value, place) = (self.value(1), self.place());
        let form = self.below(if self.reads_volatile { 6 } else { 3 });
        self.line(&match form {
            0 => format!("port = (unsigned)({value});"),
            1 => format!("ports[({value}) & 1] = b;"),
            2 => format!("if (({value}) > 2) port = 1u << b; else ports[0] = 7;"),
            3 => format!("flag = ({value}) & 255; {place} = flag;"),
            4 => format!("{{ volatile short v = (short)({value}); v ^= 3; {place} = v > 4; }}"),
            _ => format!(
                "for (int j = 0; j < (b & 3); j++) {{ port = (unsigned)j; flag = flag & 63; }} {place} = flag + 1;"
            ),
        });
    }

    /// Functions as arguments, in tables and compared.
    fn callbacks(&mut self, n: usize) {
        let (value, place) = (self.value(1), self.place());
        let form = self.below(5);
        self.line(&match form {
            0 => format!("{place} = apply(({value}) & 1 ? add : less, k & 31);"),
            1 => format!("{place} = apply(op, 3) + apply(0, 1);"),
            2 => format!("{{ int (*const t{n}[2])(int, int) = {{ mask, op }}; {place} = t{n}[({value}) & 1] == op ? 4 : (*t{n}[0])(6, 2); }}"),
            3 => format!("op = ({value}) > 3 ? &mask : *ops; {place} = op != add;"),
            _ => format!("{{ struct {{ int (*f)(int, int); int x; }} h{n} = {{ ops[b % 3], ({value}) & 7 }}; {place} = h{n}.f(h{n}.x, 1); }}"),
        });
    }

    /// Bit-fields as values, in unions, and names that hide types and tags.
    fn fields(&mut self, n: usize) {
        let (value, place) = (self.value(1), self.place());
        let form = self.below(9);
        self.line(&match form {
            0 => format!("{place} = (box.b.mid = ({value}) & 31) + 1;"),
            1 => format!("{place} = box.b.lo++ + (box.b.last -= 3);"),
            2 => format!("word.all = (u8)({value}); {place} = word.nibble.high * 2 + (int)word.nibble.low;"),
            3 => format!("word.nibble.high = ({value}) & 7; word.nibble.low += 9; {place} = word.all;"),
            4 => format!("{{ struct point {{ long z; }} v{n} = {{ ({value}) & 15 }}; {place} = v{n}.z + (int)sizeof v{n}; }}"),
            5 => format!("{{ short u8 = (short)(({value}) & 63); u8 *= 3; {place} = u8; }}"),
            6 => format!("{{ extern int less(int, int); int add = less(k & 7, 4); {place} = add; }}"),
            7 => format!("pack.b += ({value}) & 4095; {place} = pack.b > pack.a;"),
            _ => format!("{{ struct {{ int one : 1; unsigned two : 2; enum color c : 4; }} v{n} = {{ -(({value}) & 1), 3, BLUE }}; {place} = v{n}.one + v{n}.c; v{n}.two++; u ^= v{n}.two; }}"),
        });
    }

    /// Back to a place that was saved.
    fn leap(&mut self, n: usize) {
        let (value, condition) = (self.value(1), self.condition(0));
        self.line(&format!("{{ int t{n} = 0; switch (_setjmp(&spot)) {{"));
        self.line(&format!("case 0: if ({condition}) leap((int)({value}) & 3);"));
        self.block();
        self.line("break;");
        self.line(&format!("case 2: if (t{n}++ < 2) leap(2);"));
        self.block();
        self.line("break; default:");
        self.block();
        self.line("} }");
    }

    /// Objects with functions of their own.
    fn shapes(&mut self, n: usize) {
        let (value, place) = (self.value(1), self.place());
        self.line(&format!(
            "{{ struct shape s{n} = {{ .kind = ({value}) & 1 ? RED : BLUE }}; if (s{n}.kind < 0) {{ s{n}.size = side_size; s{n}.as.side = b; }} \
             else {{ s{n}.size = point_size; s{n}.as.p = box.at; }} {place} = s{n}.size(&s{n}); color = s{n}.kind; }}"
        ));
    }

    /// Promotions, conversions and mixed signs.
    fn narrow(&mut self) {
        let (one, place) = (self.value(1), self.place());
        let form = self.below(9);
        self.line(&match form {
            0 => format!("{place} = (signed char)({one}) < (unsigned char)({one});"),
            1 => format!("{place} = -1 < (({one}) & 3u);"),
            2 => format!("{place} = (unsigned short)({one}) * 3 > 60000;"),
            3 => format!("{place} = ~(u8)({one}) == -8;"),
            4 => format!("{place} = (a >> 1) + (a / 2) - (a % 3);"),
            5 => format!("{place} = (char)200 < 0 && (u8)(b - 3) > 250;"),
            6 => format!("l = (long)(int)(({one}) * 65537u) - l % 7;"),
            7 => format!("{place} = box.b.lo - 4 < 0 && box.b.hi - 4u > 9u;"),
            _ => format!("{place} = (int)(((u64)a << 3) >> 61) + !({one});"),
        });
    }

    fn leave(&mut self) {
        let condition = self.condition(1);
        match (self.loops, self.below(3)) {
            (0, _) | (_, 0) => self.line(&format!("if ({condition}) u |= 8;")),
            (_, 1) => self.line(&format!("if ({condition}) break;")),
            _ => self.line(&format!("if ({condition}) continue;")),
        }
    }

    fn choice(&mut self) {
        let condition = self.condition(2);
        self.line(&format!("if ({condition}) {{"));
        self.block();
        match self.below(3) {
            0 => {
                let other = self.condition(1);
                self.line(&format!("}} else if ({other}) {{"));
                self.block();
            }
            1 => {
                self.line("} else {");
                self.block();
            }
            _ => {}
        }
        self.line("}");
    }

    fn counted(&mut self, n: usize) {
        let condition = self.condition(1);
        let step = self.one(&["j++", "j += 2", "++j, k ^= 1"]).replace('j', &format!("j{n}"));
        self.line(&format!("for (int j{n} = 0; j{n} < 3 && ({condition}); {step}) {{"));
        self.loops += 1;
        self.block();
        self.loops -= 1;
        self.line("}");
    }

    fn guarded(&mut self, n: usize) {
        let condition = self.condition(1);
        let form = self.below(2);
        self.line(&format!("{{ int n{n} = 0;"));
        self.line(&match form {
            0 => format!("do {{ if (n{n}++ > 2) break;"),
            _ => format!("while (n{n}++ < 3 && ({condition})) {{"),
        });
        self.loops += 1;
        self.block();
        self.loops -= 1;
        self.line(&match form {
            0 => format!("}} while ({condition}); }}"),
            _ => "} }".to_owned(),
        });
    }

    fn switch(&mut self) {
        let value = self.value(1);
        self.line(&format!("switch (({value}) & 7) {{"));
        for case in 0..3 {
            let labels = ["case 0:", "case 3: case 1:", "case 5 ... 6:"];
            self.line(labels[case]);
            self.block();
            if self.below(3) > 0 {
                self.line("break;");
            }
        }
        if self.below(2) == 0 {
            self.line("default:");
            self.block();
        }
        self.line("}");
    }

    /// Past a declaration, out of blocks, and back.
    fn jump(&mut self, n: usize) {
        let (one, two, value) = (self.condition(1), self.condition(0), self.value(1));
        if self.below(3) == 0 {
            self.line(&format!("{{ if ({one}) goto behind{n}; int z{n} = ({value}) & 7; k += z{n};"));
            self.block();
            self.line(&format!("behind{n}: z{n} = 5; k ^= z{n}; char w{n} = 'w'; c = w{n}; }}"));
        } else if self.below(2) == 0 {
            self.line(&format!("if ({one}) goto past{n};"));
            self.line(&format!("{{ int h = ({value}) & 31; if (h > 3 && {two}) goto past{n}; k = h;"));
            self.block();
            self.line(&format!("}} past{n}:;"));
        } else {
            self.line(&format!("{{ int n{n} = 0; again{n}: n{n}++;"));
            self.block();
            self.line(&format!("if (n{n} < 3 && ({one})) goto again{n}; }}"));
        }
    }

    /// A machine of states with gotos between them.
    fn machine(&mut self, n: usize) {
        let (one, two) = (self.condition(0), self.condition(0));
        self.line(&format!(
            "{{ int n{n} = 0; first{n}: if (n{n}++ > 3) goto end{n}; if ({one}) goto second{n}; goto end{n};"
        ));
        self.line(&format!("second{n}: u++; if ({two}) goto first{n};"));
        self.block();
        self.line(&format!("end{n}:; }}"));
    }

    /// A jump into a block.
    fn into(&mut self, n: usize) {
        let (one, two) = (self.condition(1), self.condition(0));
        self.line(&format!("if ({one}) goto into{n};"));
        self.line(&format!("while ({two}) {{"));
        self.block();
        self.line(&format!("into{n}:;"));
        self.block();
        self.line("break; }");
    }

    /// A switch whose cases stand in a loop.
    fn duff(&mut self, n: usize) {
        let value = self.value(1);
        self.line(&format!("{{ int n{n} = 2; switch (({value}) & 3) {{ case 0: do {{ i ^= 1;"));
        self.hit();
        self.line(&format!("case 1: u += 2; case 2: k ^= 4; }} while (--n{n} > 0); }} }}"));
    }

    fn place(&mut self) -> String {
        self.one(PLACES).to_owned()
    }

    fn value(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(5) == 0 {
            return match self.below(6) {
                0 => self.below(12).to_string(),
                1 => ["-1", "3u", "'b'", "2L", "BLUE", "0x7f"][self.below(6)].to_owned(),
                2 => ["a", "b"][self.below(2)].to_owned(),
                _ => self.place(),
            };
        }
        let (left, right) = (self.value(depth - 1), self.value(depth - 1));
        match self.below(14) {
            0 | 1 => format!("({left} + {right})"),
            2 => format!("({left} - {right})"),
            3 => format!("({left} ^ {right})"),
            4 => format!("({left} & {right})"),
            5 => format!("({left} | {right})"),
            6 => format!("({left} * {})", self.below(5)),
            7 => format!("({left} % 7)"),
            8 => format!("({left} / 3)"),
            9 => format!("({left} >> ({right} & 3))"),
            10 => format!("({left} < {right} ? {left} : {right})"),
            11 => format!("({})({left})", self.one(&["char", "unsigned char", "short", "long", "unsigned", "_Bool"])),
            12 => format!("{}({left})", self.one(&["-", "~", "!", "+"])),
            _ => format!("({left} == {right})"),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(3) == 0 {
            let (left, right) = (self.value(1), self.value(0));
            let operator = self.one(&["<", ">", "==", "!=", "<=", ">="]);
            return match self.below(6) {
                0 => format!("!({left})"),
                1 => left,
                2 => format!("{left} {operator} {}", self.below(6)),
                _ => format!("{left} {operator} {right}"),
            };
        }
        let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
        let operator = self.one(&["&&", "||"]);
        match self.below(4) {
            0 => format!("!({left}) {operator} ({right})"),
            1 => format!("(({left}) {operator} ({right}))"),
            _ => format!("({left}) {operator} ({right})"),
        }
    }
}
