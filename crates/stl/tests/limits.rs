//! Large, deep and broken inputs: an answer or a diagnostic, never a crash.

use source::Source;
use stl::mutate::{MutationOptions, mutants};
use stl::table::read_table;
use stl::{load, print};

fn read(text: impl Into<String>) -> Result<stl::Spec, &'static str> {
    let text = text.into();
    load(&Source::new("x.stl", text)).map(|(spec, _)| spec).map_err(|errors| errors[0].code.id)
}

#[test]
fn nesting_has_no_limit() {
    let deep = 100_000;
    assert!(read(format!("{}a{}", "(".repeat(deep), ")".repeat(deep))).is_ok());
    assert!(read(format!("{}a", "!".repeat(deep - 1))).is_ok());
    let spec = read(vec!["a"; 40_000].join(" & ")).expect("a long chain");
    assert_eq!(print(&spec, spec.formula).len(), 4 * 40_000 - 3);
    assert_eq!(read("(".repeat(deep)).err(), Some("stl-syntax"));
    assert_eq!(read(format!("{}a", "!".repeat(deep + 1))).err(), Some("stl-too-large"));
}

#[test]
fn definitions_do_not_explode() {
    let mut text = String::from("let d0 = a & b;\n");
    for level in 1..40 {
        text += &format!("let d{level} = d{} & d{};\n", level - 1, level - 1);
    }
    assert_eq!(read(text + "d39").err(), Some("stl-too-large"));
}

#[test]
fn many_propositions_have_too_many_mutants() {
    let names: Vec<String> = (0..200).map(|number| format!("p{number}")).collect();
    let mut spec = read(names.join(" | ")).expect("a long disjunction");
    assert!(mutants(&mut spec, &MutationOptions::default()).is_none());
}

#[test]
fn junk_is_rejected() {
    for text in [
        "",
        "   ",
        "# only a comment",
        "\u{7f}\u{1}",
        "a &",
        "& a",
        "a b",
        "G",
        "G[",
        "G[1",
        "G[1,",
        "[]",
        "x >",
        "3",
        "(",
        ")",
    ] {
        assert!(read(text).is_err(), "{text:?}");
    }
    let spec = read("x > 3 & a").expect("a formula");
    for table in
        ["", "time", "time,x,a\n", "time,x,a\n0,1\n", "time,x,a\n0,1,2\n", "\u{0}", "time,x,a\n,,\n", "x,a\n1,1\n"]
    {
        assert!(read_table(&Source::new("t.csv", table), &spec).is_err(), "{table:?}");
    }
}
