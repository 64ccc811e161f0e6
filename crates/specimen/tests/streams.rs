//! Long signals on standard input: judged as they come in.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs a formula on a table that is given on standard input.
fn monitored(formula: &str, table: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("spec.stl"), formula).expect("written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_specimen"))
        .args(["run", "spec.stl", "-"])
        .args(options)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("specimen starts");
    let mut stdin = child.stdin.take().expect("piped");
    // The program may stop reading at the first flaw.
    let _ = stdin.write_all(table.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("specimen ends")
}

/// A sawtooth of this many samples whose peak is 9, with one sample of its own.
fn table(samples: usize, special: Option<(usize, &str)>) -> String {
    let mut text = String::from("time,x\n");
    for sample in 0..samples {
        let value = special
            .filter(|(at, _)| *at == sample)
            .map_or_else(|| (sample % 10).to_string(), |(_, own)| own.to_owned());
        writeln!(text, "{sample},{value}").expect("writing to a string never fails");
    }
    text
}

#[test]
fn a_long_signal_is_judged_while_it_is_read() {
    let said = |formula: &str, table: &str| {
        let output = monitored(formula, table, &["--format", "json"]);
        assert!(output.status.code().is_some_and(|code| code <= 1), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let plain = table(30_001, None);
    assert_eq!(
        said("G (x >= 9 -> F[0,5] x < 3)", &plain),
        "{\"test\":\"standard input\",\"verdict\":\"presumably true\",\"holds\":true,\"decided\":false,\"robustness\":3.0,\
         \"samples\":30001,\"settled\":null}\n"
    );
    // The peak in the middle settles the verdict long before the end.
    let high = said("G x < 50", &table(30_000, Some((10_000, "50.5"))));
    assert!(high.contains("\"verdict\":\"false\",\"holds\":false,\"decided\":true,\"robustness\":-0.5,"), "{high}");
    assert!(!high.contains("null"), "{high}");
    let bounded = said("F[0,100] x > 8", &plain);
    assert!(bounded.contains("\"holds\":true,\"decided\":true,\"robustness\":1.0,\"samples\":30001"), "{bounded}");
}

#[test]
fn a_stream_that_ends_too_early_is_undecided_and_says_how_much_is_missing() {
    let output = monitored("G (x > 3 -> F[0,5] x < 1)", "time,x\n0,0\n10,4\n", &["--format", "json"]);
    let (said, warned) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{warned}");
    assert!(said.contains("\"verdict\":\"undecided\",\"holds\":null,\"decided\":false,\"robustness\":null"), "{said}");
    assert!(said.contains("\"needed\":\"15\""), "{said}");
    assert!(warned.contains("stl-signal-short") && warned.contains("samples up to 15"), "{warned}");
}

#[test]
fn what_is_wrong_with_a_stream_is_said_with_its_line() {
    let refused = |formula: &str, table: &str, words: &[&str]| {
        let output = monitored(formula, table, &[]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert!(words.iter().all(|word| errors.contains(word)), "{errors}");
    };
    refused("G x < 50", &table(20_000, Some((12_000, "NaN"))), &["stl-signal-value", "line 12002", "`NaN`"]);
    refused("G x < 50", "time,x\n0,1\n0,2\n", &["stl-signal-time", "line 3"]);
    refused("G x < 50", "time,y\n0,1\n", &["stl-signal-column", "line 1"]);
    refused("G x < 50", "", &["the table is empty"]);
    refused("G x < 50", "time,x\n", &["the table has no samples"]);
    refused("G F x < 50", "time,x\n0,1\n", &["it must be a file"]);
}
