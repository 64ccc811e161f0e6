//! Specifications that are hard: whose search takes longer than anybody waits, and whose expressions are nested deep.

/// How many terms the large decisions have.
const TERMS: usize = 300;

/// The variables of a term of a large decision.
fn term(number: usize) -> (usize, usize, usize) {
    (number, (number * 7 + 3) % TERMS, (number * 5 + 1) % TERMS)
}

/// A decision of 900 conditions.
pub(super) fn decision() -> String {
    let inputs: String = (0..TERMS).map(|number| format!("input a{number}: bool;\ninput b{number}: bool;\n")).collect();
    let terms = (0..TERMS).map(term).map(|(a, b, not)| format!("(a{a} && b{b} && !a{not})"));
    format!("{inputs}decision d = {};\n", terms.collect::<Vec<_>>().join(" || "))
}

/// The same as a script.
pub(super) fn script() -> String {
    let inputs: String =
        (0..TERMS).map(|number| format!("(declare-const a{number} Bool)(declare-const b{number} Bool)\n")).collect();
    let terms: String = (0..TERMS).map(term).map(|(a, b, not)| format!(" (and a{a} b{b} (not a{not}))")).collect();
    format!("{inputs}(assert (or{terms}))\n")
}

/// Nine counters to ten: a thousand million states.
pub(super) fn model() -> String {
    let names: Vec<String> = (1..=9).map(|number| format!("x{number}")).collect();
    let variables: String = names.iter().map(|name| format!("var([{name}], digit).\n")).collect();
    let zeros = vec!["0"; names.len()].join(", ");
    let actions: Vec<String> =
        names.iter().map(|name| format!("'up_{name}' :: ({name} #< 9) => ({name} := {name} + 1)")).collect();
    let calls: Vec<String> = names.iter().map(|name| format!("'up_{name}'")).collect();
    format!(
        "searchDepth(90).\n{variables}state_def([{}]).\ninit([{zeros}]).\ninput([]).\nas :- methods(none),\n \
         actions({}),\n dood({}),\n qdes(none).\ntype(digit, X) :- X in 0..9, labeling([],[X]).\n",
        names.join(", "),
        actions.join(", "),
        calls.join(" ; "),
    )
}

/// Windows in windows.
pub(super) fn signals() -> String {
    "G[0,50] (x > 3 -> F[0,20] (y > 2 & G[0,10] (x < 5 | F[0,7] (z > 1 & G[0,9] y < 4))))\n".to_owned()
}

/// The factors of a large number.
pub(super) fn streams() -> String {
    "in a: Events[Int]\nin b: Events[Int]\ndef s: Events[Int] = default(last(s, a) + a, 0)\n\
     out if s * b == 1000000016000000063 && s > 1 && b > 1 then 1 else if (s * s * s) % 1000003 == 17 && (b * s) % 999983 == 5 && b > 1000 \
     then 2 else 0 as z\n"
        .to_owned()
}

/// How many clients the arbiters have.
const CLIENTS: usize = 10;

/// What an arbiter guarantees.
fn guarantees() -> Vec<String> {
    let answered = (0..CLIENTS).map(|one| format!("G (r{one} -> F g{one})"));
    let released = (0..CLIENTS).map(|one| format!("G ((g{one} & !r{one}) -> F !g{one})"));
    let pairs = (0..CLIENTS).flat_map(|one| (0..one).map(move |other| (one, other)));
    let exclusive = pairs.map(|(one, other)| format!("G !(g{one} & g{other})"));
    answered.chain(released).chain(exclusive).collect()
}

fn clients(prefix: &str, separator: &str) -> String {
    (0..CLIENTS).map(|number| format!("{prefix}{number}")).collect::<Vec<_>>().join(separator)
}

/// An arbiter that gives in the end.
pub(super) fn arbiter() -> String {
    let guarantees: String = guarantees().iter().map(|guarantee| format!("{guarantee};\n")).collect();
    format!("input {};\noutput {};\n{guarantees}", clients("r", ", "), clients("g", ", "))
}

/// The same in the format of the synthesis competition.
pub(super) fn tlsf_arbiter() -> String {
    let guarantees: String =
        guarantees().iter().map(|guarantee| format!("{};\n", guarantee.replace('&', "&&"))).collect();
    format!(
        "INFO {{ TITLE: \"a\" DESCRIPTION: \"a\" SEMANTICS: Mealy TARGET: Mealy }}\n\
         MAIN {{ INPUTS {{ {}; }} OUTPUTS {{ {}; }}\n  GUARANTEES {{ {guarantees} }} }}\n",
        clients("r", "; "),
        clients("g", "; "),
    )
}

/// A function to be inverted.
pub(super) fn hash() -> String {
    "unsigned mix(unsigned h, unsigned x)\n{\n  h ^= x;\n  h *= 0x9e3779b1u;\n  h ^= h >> 15;\n  h *= 0x85ebca77u;\n  \
     return h ^ (h >> 13);\n}\n\nint f(unsigned x, unsigned y, unsigned z)\n{\n  unsigned h = mix(mix(mix(1u, x), y), z);\n  \
     if (h == 0x12345678u && mix(h, x * y) == 0x9abcdef0u && mix(y, z) < 1000u)\n    return 1;\n  \
     if (h * h == x * y + 7u && mix(z, y) == 5u)\n    return 2;\n  return 0;\n}\n"
        .to_owned()
}

/// Something in a given number of parentheses.
fn nested(depth: usize, inner: &str) -> String {
    format!("{}{inner}{}", "(".repeat(depth), ")".repeat(depth))
}

pub(super) fn nested_decision(depth: usize) -> String {
    format!("input a: bool;\ndecision d = {} && !a;\n", nested(depth, "a"))
}

pub(super) fn nested_script(depth: usize) -> String {
    format!("(declare-const a Bool)\n(assert {}a{})\n", "(not ".repeat(depth), ")".repeat(depth))
}

pub(super) fn nested_model(depth: usize) -> String {
    format!(
        "searchDepth(9).\nvar([x], bit).\nstate_def([x]).\ninit([0]).\ninput([]).\nas :- methods(none),\n \
         actions('up' :: {} => (x := 1)),\n dood('up'),\n qdes(none).\ntype(bit, X) :- X in 0..1, labeling([],[X]).\n",
        nested(depth, "x #< 1")
    )
}

pub(super) fn nested_signals(depth: usize) -> String {
    format!("{}\n", nested(depth, "x > 1"))
}

pub(super) fn nested_streams(depth: usize) -> String {
    format!("in x: Events[Int]\nout {} > 3 as z\n", nested(depth, "x"))
}

pub(super) fn nested_formula(depth: usize) -> String {
    format!("input i;\noutput o;\n{};\n", nested(depth, "i <-> o"))
}

pub(super) fn nested_tlsf(depth: usize) -> String {
    format!(
        "INFO {{ TITLE: \"n\" DESCRIPTION: \"n\" SEMANTICS: Mealy TARGET: Mealy }}\n\
         MAIN {{ INPUTS {{ i; }} OUTPUTS {{ o; }}\n  GUARANTEES {{ {}; }} }}\n",
        nested(depth, "i <-> o")
    )
}

pub(super) fn nested_program(depth: usize) -> String {
    format!("int f(int x)\n{{\n  if ({})\n    return 1;\n  return 0;\n}}\n", nested(depth, "x"))
}
