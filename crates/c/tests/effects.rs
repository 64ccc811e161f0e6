//! What a caller sees of a run, as the interpreter tells it.

use c::interp::{Blind, InputValue, Interpreter, Observed, RecordedInputs, Settings};

/// The changes and calls of a run of `f`, one a line, with inputs as `name=value`.
fn seen(text: &str, inputs: &[(&str, &str)]) -> Vec<String> {
    let translation = c::load_text("test.c", text, &c::Options::default()).expect("the program is correct");
    let program = &translation.program;
    let entry = program.function_named("f").expect("there is f");
    let mut recorded = RecordedInputs::default();
    for (name, value) in inputs {
        recorded.push(*name, value.parse::<InputValue>().expect("a value"));
    }
    let interpreter = Interpreter::new(program, Settings::default());
    let (_, effects) = interpreter.watch(entry, &mut recorded, &mut Blind);
    let shown = |seen: &Observed| match seen {
        Observed::Value(value) => value.to_string(),
        Observed::Address(name) => format!("&{name}"),
        Observed::Freed => "freed".to_owned(),
    };
    let mut lines: Vec<String> =
        effects.changes.iter().map(|(name, seen)| format!("{name} = {}", shown(seen))).collect();
    for call in &effects.calls {
        let arguments: Vec<String> =
            call.arguments.iter().map(|one| one.value.as_ref().map_or("?".into(), shown)).collect();
        lines.push(format!("{}({})", program.function(call.function).name, arguments.join(", ")));
        let behind = call.arguments.iter().flat_map(|one| &one.behind);
        lines.extend(behind.map(|(name, seen)| format!("  {name} = {}", shown(seen))));
    }
    lines
}

#[test]
fn what_stays_as_it_was_is_not_listed() {
    let text = "int g = 4, h; void f(int *p) { g = 4; h = p[0]; p[1] = p[1]; p[2] = 5; }";
    let inputs = [("p", "new[4]"), ("p[0]", "3"), ("p[1]", "8")];
    assert_eq!(seen(text, &inputs), ["p[2] = 5", "h = 3"]);
}

#[test]
fn a_part_that_is_written_without_being_read_is_listed_even_if_it_is_zero() {
    assert_eq!(seen("void f(int *p) { p[1] = 0; }", &[("p", "new[2]")]), ["p[1] = 0"]);
}

#[test]
fn single_bytes_of_a_number_are_listed_as_bytes() {
    let text = "void f(int *p) { ((unsigned char *)p)[1] = 7; }";
    assert_eq!(seen(text, &[("p", "new[1]")]), ["p[0]@1 = 7"]);
}

#[test]
fn padding_is_nobodys() {
    let text = "struct s { char c; int n; }; void f(struct s *p) { struct s v = { 1, 2 }; *p = v; }";
    assert_eq!(seen(text, &[("p", "new[1]")]), ["p[0].c = 1", "p[0].n = 2"]);
}

#[test]
fn pointers_are_told_by_what_they_point_to() {
    let text = "struct s { int *last; struct s *next; }; int g[3]; struct s *f(struct s *p) \
        { p->last = &g[2]; p->next = p; return p->next; }";
    assert_eq!(seen(text, &[("p", "new[1]")]), ["p[0].last = &g[2]", "p[0].next = &p[0]"]);
}

#[test]
fn new_memory_is_followed_from_where_it_is_kept() {
    let text = "void *malloc(unsigned long size); struct n { int v; struct n *next; }; static struct n *top; \
        void f(int v) { for (int i = 0; i < 2; i++) { struct n *n = malloc(sizeof *n); if (!n) return; n->v = v + i; n->next = top; top = n; } }";
    let found = seen(text, &[("v", "5")]);
    assert_eq!(
        found,
        ["top = new[1]", "top[0].v = 6", "top[0].next = new[1]", "top[0].next[0].v = 5", "top[0].next[0].next = null"]
    );
}

#[test]
fn an_object_that_is_given_back_is_not_looked_at() {
    let text = "void free(void *memory); void f(int *p) { *p = 3; free(p); }";
    assert_eq!(seen(text, &[("p", "new[1]")]), ["p = freed"]);
}

#[test]
fn calls_are_listed_in_order_with_what_pointers_point_to() {
    let text = "void send(const char *text, int n); int ask(void); void f(int n) { char b[3] = { 1, 2, (char)n }; send(b, ask()); send(0, n); }";
    assert_eq!(
        seen(text, &[("n", "9"), ("ask()", "4")]),
        ["ask()", "send(new[1], 4)", "  [0] = 1", "  [1] = 2", "  [2] = 9", "send(null, 9)"]
    );
}

#[test]
fn statics_of_functions_constants_and_the_library_are_not_looked_at() {
    let text = "struct __jmp_buf_tag { long r[8]; }; static struct __jmp_buf_tag place; static const int k = 3; \
        int f(void) { static int n; n++; place.r[1] = n; return n + k; }";
    assert!(seen(text, &[]).is_empty());
}

#[test]
fn structures_that_are_returned_are_told_by_their_parts() {
    let text = "struct p { short a; int *b; }; int g; struct p f(void) { struct p v = { 3, &g }; return v; }";
    assert_eq!(seen(text, &[]), ["f().a = 3", "f().b = &g"]);
}
