//! What the fuzz targets do: each gives bytes to one reader of files, which accepts or refuses them. A panic, a hang or a
//! sanitizer's complaint is a bug; what a reader says is not judged here.

use std::io::BufReader;

use source::Source;

/// A text as the program takes it from a file; bytes that are no text are refused there already.
fn text(name: &str, bytes: &[u8]) -> Option<Source> {
    Source::from_bytes(name, bytes.to_vec()).ok()
}

/// `.bool`, and a table of tests behind a line `---`.
pub fn boolean(bytes: &[u8]) {
    let end = bytes.windows(5).position(|part| part == b"\n---\n");
    let (spec, table) = end.map_or((bytes, None), |end| (&bytes[..end], Some(&bytes[end + 5..])));
    let Some(source) = text("f.bool", spec) else { return };
    let Ok((spec, _)) = boolean::load(&source, boolean::Dialect::Bool) else { return };
    if let Some(table) = table.and_then(|table| text("t.csv", table)) {
        let _ = boolean::table::read_table(&table, &spec);
    }
}

/// `.smt2`.
pub fn smtlib(bytes: &[u8]) {
    if let Some(source) = text("f.smt2", bytes) {
        let _ = boolean::load(&source, boolean::Dialect::Smtlib);
        let _ = smt::read_script(&mut smt::Terms::new(), source.text());
    }
}

/// `.as`.
pub fn action(bytes: &[u8]) {
    if let Some(source) = text("f.as", bytes) {
        let _ = action::load(&source, action::Notation::Native);
        let _ = action::trace::read_labels(&source);
    }
}

/// `.pl`.
pub fn prolog(bytes: &[u8]) {
    if let Some(source) = text("f.pl", bytes) {
        let _ = action::load(&source, action::Notation::Prolog);
    }
}

/// `.stl`, and a table of samples behind a line `---`.
pub fn stl(bytes: &[u8]) {
    let end = bytes.windows(5).position(|part| part == b"\n---\n");
    let (spec, table) = end.map_or((bytes, None), |end| (&bytes[..end], Some(&bytes[end + 5..])));
    let Some(source) = text("f.stl", spec) else { return };
    let Ok((spec, _)) = stl::load(&source) else { return };
    if let Some(table) = table.and_then(|table| text("t.csv", table)) {
        let _ = stl::table::read_table(&table, &spec);
    }
}

/// `.tessla`.
pub fn tessla(bytes: &[u8]) {
    if let Some(source) = text("f.tessla", bytes) {
        let _ = tessla::load_alone(source, tessla::Options::default());
    }
}

/// `.ltl`.
pub fn ltl(bytes: &[u8]) {
    if let Some(source) = text("f.ltl", bytes) {
        let _ = ltl::load(&source, ltl::Dialect::Ltl);
    }
}

/// `.tlsf`.
pub fn tlsf(bytes: &[u8]) {
    if let Some(source) = text("f.tlsf", bytes) {
        let _ = ltl::load(&source, ltl::Dialect::Tlsf);
    }
}

/// Traces of LTL in all formats: the first byte says which.
pub fn traces(bytes: &[u8]) {
    use ltl::trace::{Dump, Format, Trace, Unknown};
    let Some((kind, rest)) = bytes.split_first() else { return };
    let format = [Format::Csv, Format::JsonLines, Format::Vcd, Format::Waves][usize::from(*kind) % 4];
    let signals = ["a", "req"];
    let unknown = [Unknown::Error, Unknown::False, Unknown::Ignore][usize::from(*kind >> 5) % 3];
    let dump = Dump { clock: (*kind & 16 != 0).then_some("clk"), reset: (*kind & 8 != 0).then_some("!rst"), unknown };
    if let Ok(mut trace) = Trace::open("t", BufReader::new(rest), format, &signals, dump) {
        let mut letter = [false; 2];
        while let Ok(true) = trace.next(&mut letter) {}
    }
}

/// C that is preprocessed already.
pub fn c(bytes: &[u8]) {
    if let Ok(source) = std::str::from_utf8(bytes) {
        let _ = c::load_text("f.i", source, &c::Options::default());
    }
}

/// FQL queries.
pub fn fql(bytes: &[u8]) {
    if let Ok(query) = std::str::from_utf8(bytes) {
        let _ = fql::parse(query);
    }
}

/// `suite.json`, and every export of it.
pub fn suite(bytes: &[u8]) {
    use testcase::export::{Extras, Format, export};
    let Some(suite) = std::str::from_utf8(bytes).ok().and_then(|text| testcase::Suite::from_json(text).ok()) else {
        return;
    };
    for format in Format::ALL {
        let _ = export(&suite, *format, &Extras { source_text: Some("x = 1\ny\n"), ..Extras::default() });
    }
}

/// `specimen.toml` and compile databases.
pub fn project(bytes: &[u8]) {
    if let Some(source) = text("specimen.toml", bytes) {
        let _ = project::Manifest::parse(&source);
        let _ = project::Database::parse(source.text(), std::path::Path::new("."));
    }
}
