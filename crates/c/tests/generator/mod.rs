//! Random C programs without inputs: they compute and print.
//!
//! Most of what they do is defined; overflows and bad shifts happen now and then, so that their detection is tried too. No
//! expression has two side effects, so that the order of evaluation does not matter.

#![allow(dead_code, reason = "each test uses a part of this")]

use std::fmt::Write;

/// A random number generator (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn one<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const TYPES: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "_Bool",
    "char",
];

struct Generator {
    random: Random,
    text: String,
    /// Names of integer lvalues in scope.
    scalars: Vec<String>,
    loops: usize,
    depth: usize,
}

/// A program.
pub(crate) fn program(seed: u64) -> String {
    let mut generator =
        Generator { random: Random(seed), text: String::new(), scalars: Vec::new(), loops: 0, depth: 0 };
    generator.all();
    generator.text
}

/// An integer constant expression, with its type cast away by `long long`.
pub(crate) fn constant(seed: u64) -> String {
    let mut generator =
        Generator { random: Random(seed), text: String::new(), scalars: Vec::new(), loops: 0, depth: 0 };
    generator.expr(4)
}

impl Generator {
    fn all(&mut self) {
        self.text.push_str(
            "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
             struct s { signed char a; unsigned b : 5; int c : 11; long d; unsigned short e[3]; unsigned long f : 30; };\n\
             union u { unsigned i; unsigned char b[8]; double d; };\n\
             union mix { unsigned long whole; struct { unsigned low : 12; int mid : 9; unsigned high : 11; int rest; } parts; };\n\
             struct node { int value; struct node *next; };\n\
             enum e { ZERO, ONE, MINUS = -3, BIG = 70000 };\n",
        );
        for index in 0..5 {
            let ty = self.random.one(TYPES);
            let value = self.literal();
            let _ = writeln!(self.text, "static {ty} g{index} = ({ty})({value});");
            self.scalars.push(format!("g{index}"));
        }
        self.text.push_str("int arr[8] = {3, 1, 4, 1, 5, 9, 2, 6};\nunsigned char bytes[16] = \"specimen\";\nstruct s st = {1, 2, -3, 4, {5, 6, 7}, 8};\nunion u un;\nunion mix mix;\nshort grid[2][4] = {{1, 2, 3, 4}, {5, 6}};\n");
        self.scalars.extend(["st.a", "st.b", "st.c", "st.d", "st.e[1]", "st.f"].map(str::to_owned));
        for index in 0..3 {
            let (a, b) = (self.random.one(TYPES), self.random.one(TYPES));
            let result = self.random.one(TYPES);
            let _ = writeln!(self.text, "static {result} f{index}({a} x, {b} y) {{");
            let outer = std::mem::replace(&mut self.scalars, vec!["x".into(), "y".into()]);
            let test = self.expr(2);
            let (then, otherwise) = (self.expr(3), self.expr(3));
            let _ = writeln!(self.text, "  if ({test}) return {then};\n  return {otherwise};\n}}");
            self.scalars = outer;
        }
        self.text.push_str("static int count(int n) { return n <= 0 ? 0 : 1 + count(n - 1); }\nstatic int count0(int n) { return count(n & 7); }\n");
        self.text.push_str(
            "static int twice(int n) { return (int)(2u * (unsigned)n); }\nstatic int half(int n) { return n / 2; }\n\
             static int (*table[4])(int) = { twice, half, count0, half };\n\
             static int apply(int (*f)(int), int n) { return f ? f(n) : n; }\n\
             static int remember(int n) { static int last = 5; static unsigned calls; int old = last; last = n; return old + (int)(++calls & 7); }\n\
             static struct s moved(struct s one, short by) { one.d = by; one.c ^= by; one.e[by & 1]++; return one; }\n",
        );
        self.text.push_str(
            "static __attribute__((noreturn)) void leave(int why) { printf(\"left %d\\n\", why); exit(0); }\n\
             static void check(int holds, int why) { if (!holds) leave(why); }\n\
             static int noted; static void note(int what) { if (what == 5) noted++; noted ^= what & 3; }\n",
        );
        self.scalars.push("noted".to_owned());
        self.text.push_str("int main(void) {\n");
        for index in 0..4 {
            let ty = self.random.one(TYPES);
            let value = self.expr(2);
            let _ = writeln!(self.text, "  {ty} v{index} = {value};");
            self.scalars.push(format!("v{index}"));
        }
        self.text.push_str("  int *p = arr + 2; double dd = 1.5; float ff = 0.25f; unsigned char *q = (unsigned char *)&un; un.i = 0x01020304u;\n");
        for _ in 0..14 {
            self.statement();
        }
        for name in self.scalars.clone() {
            let _ = writeln!(self.text, "  printf(\"{name}=%lld\\n\", (long long){name});");
        }
        self.text.push_str("  for (int i = 0; i < 8; i++) printf(\"%d \", arr[i]);\n  for (int i = 0; i < 16; i++) printf(\"%d \", bytes[i]);\n");
        self.text.push_str("  printf(\"%lu %d %d\\n\", mix.whole, grid[0][3], grid[1][1]);\n");
        self.text.push_str("  printf(\"%d %g %g %u %d %d\\n\", *p, dd, ff, un.i, q[1], (int)(p - arr));\n");
        self.text
            .push_str("  printf(\"%zu %zu %d\\n\", sizeof(struct s), sizeof(union u), count(5));\n  return 0;\n}\n");
    }

    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth + 1);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn target(&mut self) -> String {
        match self.random.below(8) {
            0 => format!("arr[{} & 7]", self.expr(1)),
            1 => format!("bytes[{} & 15]", self.expr(1)),
            2 => "*p".to_owned(),
            3 => "q[2]".to_owned(),
            _ => self.scalars[self.random.below(self.scalars.len())].clone(),
        }
    }

    fn statement(&mut self) {
        let deep = self.depth >= 3;
        match self.random.below(if deep { 5 } else { 22 }) {
            0 | 1 => {
                let (target, value) = (self.target(), self.expr(3));
                self.line(&format!("{target} = {value};"));
            }
            2 => {
                let (target, value) = (self.target(), self.expr(2));
                let operator = self.random.one(&["+=", "-=", "^=", "|=", "&=", "*="]);
                self.line(&format!("{target} {operator} {value};"));
            }
            3 => {
                let target = self.target();
                let form = self.random.below(4);
                self.line(&match form {
                    0 => format!("{target}++;"),
                    1 => format!("--{target};"),
                    2 => format!("v0 = {target}--;"),
                    _ => format!("v1 = ++{target};"),
                });
            }
            4 => {
                let value = self.expr(2);
                let form = self.random.below(5);
                self.line(&match form {
                    0 => format!("dd = dd / 3 + (double)({value});"),
                    1 => format!("ff = (float)({value}) * 0.5f + ff;"),
                    2 => format!("v2 = (int)(dd / 1024) + (ff > {value});"),
                    3 => format!("p = arr + (({value}) & 7);"),
                    _ => format!("dd = ({value}) ? dd * 0.75 : -dd;"),
                });
            }
            5 | 6 => {
                let test = self.expr(3);
                self.line(&format!("if ({test}) {{"));
                self.block();
                if self.random.below(2) == 0 {
                    self.line("} else {");
                    self.block();
                }
                self.line("}");
            }
            7 | 8 => {
                let count = 1 + self.random.below(4);
                let name = format!("i{}", self.loops);
                self.loops += 1;
                self.line(&format!("for (int {name} = 0; {name} < {count}; {name}++) {{"));
                self.block();
                if self.random.below(3) == 0 {
                    let test = self.expr(2);
                    let word = self.random.one(&["break", "continue"]);
                    self.line(&format!("  if ({test}) {word};"));
                }
                self.block();
                self.line("}");
            }
            9 => {
                let value = self.expr(2);
                self.line(&format!("switch (({value}) & 7) {{"));
                for case in 0..4 {
                    self.line(&format!("case {case}:"));
                    self.block();
                    if self.random.below(3) > 0 {
                        self.line("break;");
                    }
                }
                self.line("case 5 ... 6: default: v3 ^= 1;");
                self.line("}");
            }
            10 => {
                let target = self.target();
                let (a, b) = (self.expr(1), self.expr(1));
                let function = self.random.below(3);
                self.line(&format!("{target} = f{function}({a}, {b});"));
            }
            11 => {
                let form = self.random.below(4);
                self.line(match form {
                    0 => "{ struct s t = st; t.c++; st = t; }",
                    1 => "memcpy(bytes + 4, bytes, 4);",
                    2 => "{ struct s t = { .d = 9, .e = { [2] = 1 } }; st.e[0] += t.e[2]; }",
                    _ => "un.b[3] = (unsigned char)strlen((char *)\"abc\");",
                });
            }
            12 => self.jumps(),
            13 => self.calls(),
            14 => self.memory(),
            15 => self.unions(),
            19..=21 => self.scopes(),
            16 => {
                let name = format!("d{}", self.loops);
                self.loops += 1;
                let test = self.expr(2);
                self.line(&format!("{{ int {name} = 0; do {{"));
                self.block();
                self.line(&format!("}} while (++{name} < 3 && ({test})); }}"));
            }
            _ => {
                let name = format!("w{}", self.loops);
                self.loops += 1;
                let test = self.expr(2);
                self.line(&format!("{{ int {name} = 0; while ({name}++ < 3 && ({test})) {{"));
                self.block();
                self.line("} }");
            }
        }
    }

    /// Declarations behind calls, names that hide others, untyped pointers, jumps past declarations, and ends of the program.
    fn scopes(&mut self) {
        let number = self.loops;
        self.loops += 1;
        let (target, a, b, test) = (self.target(), self.expr(2), self.expr(2), self.expr(2));
        let ty = self.random.one(TYPES);
        let form = self.random.below(8);
        self.line(&match form {
            0 => format!("{{ note((int)({a}) & 7); {ty} k{number}; k{number} = ({ty})({b}); {target} = k{number}; }}"),
            1 => format!(
                "for (int j = 0; j < 2; j++) {{ note(j + 4); int k{number}[3]; k{number}[j] = (int)({a}) & 9; note(k{number}[j]); \
                 {ty} m{number}; m{number} = 1; {target} ^= m{number}; }}"
            ),
            2 => format!("{{ int s{number} = (int)({a}) & 31; {{ int v0 = s{number}; {{ {ty} v0 = 3; g0 ^= v0; }} g1 ^= v0; }} }}"),
            3 => format!(
                "{{ void *any = arr + (({a}) & 7); *(int *)any = (int)({b}) & 255; const void *same = any; \
                 {target} = *(const int *)same + (any == (void *)p); }}"
            ),
            4 => format!(
                "{{ if ({test}) goto past{number}; int h{number} = (int)({a}) & 7; {{ int k = h{number}; if (k > 3) goto past{number}; \
                 {target} = k; }} g2 ^= h{number}; past{number}:; }}"
            ),
            5 => format!("assert(({a}) != 77 || ({b}) != 3);"),
            6 => format!("check((({a}) & 255) != 5, {number});"),
            _ => format!("{{ {ty} one = ({ty})({a}), *at = &one; void **way = (void **)&at; *(unsigned char *)*way ^= 1; {target} = one & 1; }}"),
        });
    }

    /// Jumps forward over a block, backward a few times, and into a block.
    fn jumps(&mut self) {
        let number = self.loops;
        self.loops += 1;
        let test = self.expr(2);
        match self.random.below(3) {
            0 => {
                self.line(&format!("if ({test}) goto over{number};"));
                self.block();
                self.line(&format!("over{number}:;"));
            }
            1 => {
                self.line(&format!("{{ int n{number} = 0;"));
                self.line(&format!("again{number}:;"));
                self.block();
                self.line(&format!("if (++n{number} < 3 && ({test})) goto again{number}; }}"));
            }
            _ => {
                self.line(&format!("if ({test}) goto into{number};"));
                self.line("if (v0 > v1) {");
                self.block();
                self.line(&format!("into{number}:;"));
                self.block();
                self.line("}");
            }
        }
    }

    /// Calls through pointers, structures by value, and functions that remember.
    fn calls(&mut self) {
        let (target, a, b) = (self.target(), self.expr(1), self.expr(2));
        let form = self.random.below(5);
        self.line(&match form {
            0 => format!("{target} = table[({b}) & 3]((int){a});"),
            1 => format!("{target} = remember((int)({a}) & 15);"),
            2 => format!("st = moved(st, (short)({b}));"),
            3 => format!("{target} = moved((struct s){{ .a = 1, .d = ({b}) & 255 }}, 2).d;"),
            _ => format!("{target} = (v0 = (int){a}, apply(table[1], (int)({b})));"),
        });
    }

    /// Lists on the heap, arrays of arrays, and strings.
    fn memory(&mut self) {
        let (target, a, b) = (self.target(), self.expr(1), self.expr(2));
        let number = self.loops;
        self.loops += 1;
        let form = self.random.below(5);
        self.line(&match form {
            0 => format!(
                "{{ struct node *head = 0; for (int k = 0; k < 3; k++) {{ struct node *one = malloc(sizeof *one); one->value = ({b}) & 63; \
                 one->next = head; head = one; }} int sum{number} = 0; while (head) {{ struct node *one = head; sum{number} += one->value; \
                 head = one->next; free(one); }} {target} = sum{number}; }}"
            ),
            1 => format!("grid[({a}) & 1][({b}) & 3] = (short)({b}); {target} = grid[1][2] + *(*grid + 3);"),
            2 => format!("{target} = (int)(strchr(\"specimen\", \"specimen\"[({a}) & 7]) ? 1 : 0) + \"abc\"[({b}) & 3];"),
            3 => format!("{{ short *row = grid[({a}) & 1]; row += 1; {target} = row[({b}) & 1] - row[-1]; }}"),
            _ => format!("{{ int all[4] = {{ [1] = (int)({a}) & 7, 2 }}; int *end = all + 4, sum{number} = 0; for (int *k = all; k < end; k++) sum{number} += *k; {target} = sum{number}; }}"),
        });
    }

    /// One place read as several types.
    fn unions(&mut self) {
        let (target, a) = (self.target(), self.expr(2));
        let form = self.random.below(5);
        self.line(&match form {
            0 => format!("un.d = (double)(short)({a}) * 0.125; {target} = un.b[7] ^ un.b[6];"),
            1 => format!("un.i = (unsigned)({a}); {target} = un.b[0] + 256 * un.b[1];"),
            2 => format!("mix.whole = (unsigned long)({a}); {target} = mix.parts.high;"),
            3 => format!("mix.parts.low = (unsigned)({a}); mix.parts.mid--; {target} = (int)(mix.whole & 0xffff);"),
            _ => "{ union mix other = mix; other.parts.high ^= 3; mix = other; }".to_owned(),
        });
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.random.below(2) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn literal(&mut self) -> String {
        match self.random.below(8) {
            0 => self.random.one(&["0", "1", "-1", "2", "7"]).to_owned(),
            1 => self.random.one(&["127", "128", "255", "256", "32767", "65535", "'a'", "'\\377'"]).to_owned(),
            2 => self
                .random
                .one(&["2147483647", "2147483648u", "0xffffffff", "0x7fffffffffffffff", "4294967296L"])
                .to_owned(),
            3 => self.random.one(&["ONE", "MINUS", "BIG", "sizeof(int)", "(int)sizeof(struct s)"]).to_owned(),
            4 => format!("{}u", self.random.below(1000)),
            5 => format!("{}L", self.random.below(100_000)),
            _ => format!("{}", self.random.below(100)),
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(6) == 0 {
            return match self.random.below(3) {
                0 => self.literal(),
                _ if self.scalars.is_empty() => self.literal(),
                _ => self.scalars[self.random.below(self.scalars.len())].clone(),
            };
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.random.below(20) {
            0..=3 => format!("({a} {} {b})", self.random.one(&["&", "|", "^"])),
            4..=6 => format!("({a} {} {b})", self.random.one(&["+", "-"])),
            7 => format!("({a} * (short){b})"),
            8 => format!("({a} / (({b}) ? ({b}) : 1))"),
            9 => format!("({a} % (({b}) | 1))"),
            10 => format!("((unsigned long){a} << (({b}) & 15))"),
            11 => format!("({a} {} (({b}) & 7))", self.random.one(&[">>", ">>", "<<"])),
            12..=13 => format!("({a} {} {b})", self.random.one(&["<", "<=", ">", ">=", "==", "!="])),
            14 => format!("({a} {} {b})", self.random.one(&["&&", "||"])),
            15 => format!("({a} ? {b} : {})", self.expr(depth - 1)),
            16 => format!("{}({a})", self.random.one(&["~", "!", "-", "+"])),
            17..=18 => format!("({})({a})", self.random.one(TYPES)),
            _ => format!("(unsigned)({a})"),
        }
    }
}

/// A program that prints the layouts of random structures and unions: sizes, alignments, offsets, and where bit-fields are.
pub(crate) fn layouts(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::from("#include <stdio.h>\n#include <stddef.h>\n#include <string.h>\n");
    let mut body = String::new();
    let mut tags: Vec<String> = Vec::new();
    for number in 0..10 {
        let union = random.below(4) == 0;
        let word = if union { "union" } else { "struct" };
        let packed = if random.below(6) == 0 { " __attribute__((packed))" } else { "" };
        let tag = format!("{word} t{number}");
        let mut members = String::new();
        let mut plain = Vec::new();
        let mut fields = Vec::new();
        for index in 0..1 + random.below(7) {
            let name = format!("m{index}");
            let ty = random.one(TYPES);
            match random.below(8) {
                0 | 1 if packed.is_empty() => {
                    let most = match ty {
                        "_Bool" => 1,
                        "char" | "signed char" | "unsigned char" => 8,
                        "short" | "unsigned short" => 16,
                        "int" | "unsigned int" => 32,
                        _ => 64,
                    };
                    let width = 1 + random.below(most);
                    let _ = write!(members, "{ty} {name} : {width}; ");
                    fields.push(name);
                }
                2 if packed.is_empty() => {
                    let _ = write!(members, "{ty} : 0; ");
                }
                3 if !tags.is_empty() => {
                    let inner = &tags[random.below(tags.len())];
                    let _ = write!(members, "{inner} {name}; ");
                    plain.push(name);
                }
                4 => {
                    let _ = write!(members, "{ty} {name}[{}]; ", 1 + random.below(3));
                    plain.push(name);
                }
                5 => {
                    let other = random.one(&["double", "float", "void *", "long double"]);
                    let _ = write!(members, "{other} {name}; ");
                    plain.push(name);
                }
                6 => {
                    let _ = write!(members, "{ty} {name} __attribute__((aligned({}))); ", 1 << random.below(5));
                    plain.push(name);
                }
                _ => {
                    let _ = write!(members, "{ty} {name}; ");
                    plain.push(name);
                }
            }
        }
        let _ = writeln!(text, "{tag} {{ {members}char last; }}{packed};");
        let _ = writeln!(body, "  printf(\"{tag} %zu %zu\\n\", sizeof({tag}), _Alignof({tag}));");
        for name in plain {
            let _ = writeln!(body, "  printf(\"{tag}.{name} %zu\\n\", offsetof({tag}, {name}));");
        }
        for name in fields {
            let _ = writeln!(
                body,
                "  {{ {tag} v; memset(&v, 0, sizeof v); v.{name} = 1; v.{name} = -v.{name}; const unsigned char *b = (const unsigned char *)&v; \
                 for (unsigned i = 0; i < sizeof v; i++) printf(\"%02x\", b[i]); printf(\" %lld\\n\", (long long)v.{name}); }}"
            );
        }
        tags.push(tag);
    }
    let _ = write!(text, "int main(void) {{\n{body}  return 0;\n}}\n");
    text
}
