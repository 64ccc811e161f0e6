//! The written forms of suites; the harness is compiled and run where there is a compiler.

use std::process::Command;

use expect_test::expect;
use fql::output::harness::{Frame, Sources, Undefined, Unit, harness};
use fql::output::{
    Entry, Expected, Input, InputKind, Metadata, Place, PlainOptions, Test, Tests, Unsaid, plain, test_comp, xml,
};

fn place(line: u32, column: u32) -> Place {
    Place { file: "bar.c".into(), line, column }
}

fn input(kind: InputKind, name: &str, ty: &str, value: &str, at: Place) -> Input {
    Input {
        call: 0,
        kind,
        name: name.into(),
        ty: ty.into(),
        place: at,
        value: value.into(),
        bits: String::new(),
        raw: String::new(),
    }
}

/// The suite of the running example.
fn bar() -> Tests {
    let entry = Entry {
        name: "foo".into(),
        parameters: vec![("int".into(), "x".into()), ("int".into(), "y".into())],
        result: "int".into(),
        place: place(1, 5),
    };
    let test = |x: &str, y: &str| Test {
        inputs: vec![
            input(InputKind::Parameter, "x", "int", x, place(1, 13)),
            input(InputKind::Parameter, "y", "int", y, place(1, 20)),
        ],
        ..Test::default()
    };
    Tests { entry, watched: Vec::new(), tests: vec![test("301989888", "268435457"), test("-2013265917", "7")] }
}

#[test]
fn the_plain_form() {
    expect![[r#"
        Test Suite 0:
        IN:
          x=301989888
          y=268435457

        IN:
          x=-2013265917
          y=7

    "#]]
    .assert_eq(&plain(&[bar()], PlainOptions::default()));
    let options = PlainOptions { locations: true, ..PlainOptions::default() };
    expect![[r#"
        Test Suite 0:
        IN:
          ENTRY foo(x,y)@[file bar.c line 1]
          int x@[file bar.c line 1]=301989888
          int y@[file bar.c line 1]=268435457

        IN:
          ENTRY foo(x,y)@[file bar.c line 1]
          int x@[file bar.c line 1]=-2013265917
          int y@[file bar.c line 1]=7

    "#]]
    .assert_eq(&plain(&[bar()], options));
}

#[test]
fn the_xml_form() {
    let mut suite = bar();
    suite.tests.truncate(1);
    suite.tests[0].inputs.truncate(1);
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <fshell>
        <test-suite index="0">
        <test-case>
        <entry><function>foo</function><location><file>bar.c</file><line>1</line></location></entry>
        <object kind="variable"><identifier>x</identifier><base_name>x</base_name><location><file>bar.c</file><line>1</line></location><value>301989888</value><type>int</type></object>
        </test-case>
        </test-suite>
        </fshell>
    "#]]
    .assert_eq(&xml(&[suite]));
}

#[test]
fn the_form_of_test_comp() {
    let mut suite = bar();
    suite.entry.name = "main".into();
    let said = input(InputKind::Result, "__VERIFIER_nondet_int()", "int", "-5", place(2, 1));
    let unsaid = input(InputKind::Parameter, "x", "int", "1", place(1, 13));
    suite.tests = vec![
        Test { inputs: vec![said.clone()], ..Test::default() },
        Test { inputs: vec![said, unsaid], ..Test::default() },
    ];
    let metadata = Metadata {
        producer: "specimen".into(),
        specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".into(),
        program: "bar.c".into(),
        hash: "00ff".into(),
        architecture: "32bit".into(),
        created: "1970-01-01T00:00:00Z".into(),
    };
    let (files, left_out) = test_comp(&suite, &metadata);
    assert_eq!(left_out, [Unsaid { test: 2, inputs: vec!["x".into()] }]);
    assert_eq!(files.iter().map(|file| file.0.as_str()).collect::<Vec<_>>(), ["metadata.xml", "testcase-1.xml"]);
    assert!(files[0].1.contains("<entryfunction>main</entryfunction>"));
    assert!(files[1].1.ends_with("<testcase>\n  <input type=\"int\">-5</input>\n</testcase>\n"));
}

#[test]
fn the_harness_runs_every_test() {
    if Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    let text = "int printf(const char *, ...);\nint sensor(int which);\nint limit;\nint foo(int x, int *list) {\n  int unset;\n  \
                printf(\"%d %d %d %d %d\\n\", x, list ? list[1] : -1, limit, unset, sensor(1) + sensor(2));\n  return x;\n}\n";
    let entry = Entry {
        name: "foo".into(),
        parameters: vec![("int".into(), "x".into()), ("int *".into(), "list".into())],
        result: "int".into(),
        place: place(4, 5),
    };
    let test = |x: &str, list: bool| {
        let mut inputs = vec![
            input(InputKind::Parameter, "x", "int", x, place(4, 13)),
            input(InputKind::Global, "limit", "int", "8", place(3, 5)),
            input(InputKind::Local, "unset", "int", "9", place(5, 7)),
            input(InputKind::Result, "sensor()", "int", "100", place(2, 5)),
            input(InputKind::Result, "sensor()", "int", "-30", place(2, 5)),
        ];
        inputs.push(input(InputKind::Parameter, "list", "int *", if list { "new[2]" } else { "null" }, place(4, 21)));
        if list {
            inputs.push(input(InputKind::Object, "list[1]", "int", "77", place(4, 21)));
        }
        let list = if list { "77" } else { "-1" };
        let prints = Some(format!("{x} {list} 8 9 70\n"));
        Test {
            inputs,
            expected: Expected { returns: Some(x.into()), prints, ..Expected::default() },
            ..Test::default()
        }
    };
    let mut hopeless = test("0", false);
    hopeless.inputs.push(input(InputKind::Heap, "malloc()[0]", "int", "1", place(1, 1)));
    let mut wrong = test("5", false);
    wrong.expected = Expected { returns: Some("6".into()), prints: Some(String::new()), ..Expected::default() };
    let suite =
        Tests { entry, watched: Vec::new(), tests: vec![test("-2147483648", true), hopeless, test("5", false), wrong] };
    let sources = Sources {
        files: vec![Unit { name: "src/bar.c".into(), text: text.into(), ..Unit::default() }],
        undefined: vec![Undefined {
            result: "int".into(),
            name: "sensor".into(),
            parameters: "int which".into(),
            ..Undefined::default()
        }],
        ..Sources::default()
    };
    let (files, left_out) = harness(&suite, &sources, Frame::Make);
    assert_eq!(left_out.len(), 1);
    let folder = std::env::temp_dir().join(format!("specimen-harness-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in &files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let output = Command::new("make").args(["-s", "run_tests"]).current_dir(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    std::fs::remove_dir_all(&folder).unwrap();
    expect![[r#"
        ./tester 1
        ./tester 3
        ./tester 4
        test 4 does not return 6
        test 4: ended with 4 instead of 0
        test 4: printed something else than expected/4.out
    "#]]
    .assert_eq(
        &said.lines().filter(|line| !line.starts_with("make")).map(|line| format!("{line}\n")).collect::<String>(),
    );
}
