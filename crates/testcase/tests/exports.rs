//! What is exported for other programs is given to those programs: cc, rustc, pytest, an XML parser and a browser.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use testcase::Suite;
use testcase::export::{Extras, Format, export};

const SUITES: &[&str] = &[
    include_str!("suites/policy.json"),
    include_str!("suites/nasty.json"),
    include_str!("suites/empty.json"),
    include_str!("suites/document.json"),
];

fn suites() -> impl Iterator<Item = Suite> {
    SUITES.iter().map(|text| Suite::from_json(text).expect("a suite"))
}

/// The suites whose tests are tables.
fn tables() -> impl Iterator<Item = Suite> {
    suites().filter(|suite| suite.interface.is_some())
}

fn exported(suite: &Suite, format: Format) -> String {
    export(suite, format, &Extras { source_text: Some("a\n\tb <c>\n    age > 30 && age < 30\n"), viewer: None })
        .expect("it is exported")
}

/// Whether a program the test needs can be run. Without it the test says so and passes, unless tools are required.
fn available(program: &str, arguments: &[&str]) -> bool {
    let found = Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success());
    if !found {
        assert!(
            std::env::var_os("SPECIMEN_REQUIRE_TOOLS").is_none(),
            "`{program} {}` is required",
            arguments.join(" ")
        );
        let notice = format!("skipped: `{program} {}` does not work here\n", arguments.join(" "));
        std::io::Write::write_all(&mut std::io::stderr(), notice.as_bytes()).expect("standard error is open");
    }
    found
}

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    assert!(
        output.status.success(),
        "{command:?}\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn write(folder: &Path, name: &str, text: &str) -> std::path::PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("the folder can be written");
    path
}

/// The name that starts identifiers in the C header.
fn prefix(header: &str) -> &str {
    let at = header.find("static const struct ").expect("there is a table") + "static const struct ".len();
    header[at..].split("_test ").next().expect("there is a name")
}

#[test]
fn c_headers_compile_without_warnings_and_hold_every_test() {
    if !available("cc", &["--version"]) {
        return;
    }
    for suite in tables() {
        let folder = tempfile::tempdir().expect("a folder");
        let header = exported(&suite, Format::C);
        let prefix = prefix(&header);
        write(folder.path(), "tests.h", &header);
        let ids: String = suite.tests.iter().map(|test| format!("{} ", test.id)).collect();
        let program = format!(
            "#include \"tests.h\"\n#include <stdio.h>\nint main(void) {{\n\
             for (int i = 0; i < {prefix}_test_count; i++) printf(\"%s \", {prefix}_tests[i].id);\nreturn 0; }}\n"
        );
        let main = write(folder.path(), "main.c", &program);
        let binary = folder.path().join("main");
        run(Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
            .arg(main)
            .arg("-o")
            .arg(&binary));
        assert_eq!(String::from_utf8_lossy(&run(&mut Command::new(binary)).stdout), ids);
    }
}

#[test]
fn the_c_header_keeps_the_values() {
    if !available("cc", &["--version"]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let header = exported(&suites().next().expect("the policy"), Format::C);
    write(folder.path(), "policy_tests.h", &header);
    let program = "#include \"policy_tests.h\"\n\
        static bool hire(struct policy_inputs in) { return in.age > 30 && in.for_ && in.level == policy_Level_high; }\n\
        int main(void) {\n\
        const struct policy_test *t = policy_tests;\n\
        if (t[0].inputs.age != 31 || t[1].inputs.age != -30 || t[0].inputs.mask != 15) return 1;\n\
        if (t[0].inputs.rate.numerator != 1 || t[0].inputs.rate.denominator != 3) return 2;\n\
        for (int i = 0; i < policy_test_count; i++) if (hire(t[i].inputs) != t[i].expected.hire) return 3;\n\
        return 0; }\n";
    let main = write(folder.path(), "main.c", program);
    let binary = folder.path().join("main");
    run(Command::new("cc").args(["-std=c11", "-Wall", "-Werror"]).arg(main).arg("-o").arg(&binary));
    run(&mut Command::new(binary));
}

#[test]
fn rust_modules_compile_and_run() {
    for suite in tables() {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), "tests.rs", &exported(&suite, Format::Rust));
        let count = suite.tests.len();
        let main = format!(
            "#![deny(warnings)]\nmod tests;\nfn main() {{\n    assert_eq!(tests::TESTS.len(), {count});\n    \
             tests::check(|inputs| tests::TESTS.iter().find(|row| row.1 == *inputs).unwrap().2);\n}}\n"
        );
        let main = write(folder.path(), "main.rs", &main);
        let binary = folder.path().join("main");
        run(Command::new("rustc").args(["--edition", "2021", "-o"]).arg(&binary).arg(main));
        run(&mut Command::new(binary));
    }
}

#[test]
fn a_rust_module_fails_a_wrong_subject() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "tests.rs", &exported(&suites().next().expect("the policy"), Format::Rust));
    let main = "mod tests;\nfn main() { tests::check(|_| tests::Expected { hire: true }); }\n";
    let main = write(folder.path(), "main.rs", main);
    let binary = folder.path().join("main");
    run(Command::new("rustc").args(["--edition", "2021", "-A", "warnings", "-o"]).arg(&binary).arg(main));
    let output = Command::new(binary).output().expect("it starts");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("t2: Inputs"));
}

#[test]
fn pytest_modules_run() {
    if !available("python3", &["-m", "pytest", "--version"]) {
        return;
    }
    for suite in suites() {
        let folder = tempfile::tempdir().expect("a folder");
        let module = exported(&suite, Format::Pytest);
        write(folder.path(), "test_suite.py", &module);
        let fixture = "import pytest\nimport test_suite\n\n@pytest.fixture\ndef subject():\n    \
            return lambda inputs: next(p.values[1] for p in test_suite.TESTS if p.values[0] == inputs)\n";
        write(folder.path(), "conftest.py", fixture);
        let mut command = Command::new("python3");
        command.current_dir(folder.path()).args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
        let output = command.output().expect("python starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        match suite.tests.len() {
            0 => assert!(said.contains("1 skipped"), "{said}"),
            count => assert!(output.status.success() && said.contains(&format!("{count} passed")), "{said}\n{module}"),
        }
    }
}

#[test]
fn junit_reports_are_well_formed() {
    if !available("python3", &["--version"]) {
        return;
    }
    for suite in suites() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = write(folder.path(), "report.xml", &exported(&suite, Format::Junit));
        let script = "import sys, xml.etree.ElementTree as e\nr = e.parse(sys.argv[1]).getroot()\n\
            print(len(r.findall('.//testcase')), len(r.findall('.//failure')), r.get('tests'), r.get('failures'))";
        let output = run(Command::new("python3").args(["-c", script]).arg(path));
        let summary = suite.summary;
        let all = summary.goals + summary.tests;
        let expected = format!("{all} {0} {all} {0}\n", summary.unknown);
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    }
}

#[test]
fn reports_draw_their_matrix_in_a_browser_without_complaint() {
    if !available("chromium", &["--version"]) {
        return;
    }
    for suite in suites() {
        let folder = tempfile::tempdir().expect("a folder");
        let page = exported(&suite, Format::Html);
        assert!(!page.contains("http://") && !page.contains("https://"), "the report loads nothing");
        let path = write(folder.path(), "report.html", &page);
        let mut command = Command::new("chromium");
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]);
        command.args(["--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom"]);
        command.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
        command.arg(format!("file://{}", path.display()));
        let output = run(&mut command);
        let document = String::from_utf8_lossy(&output.stdout);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("CONSOLE"), "{said}");
        assert!(document.contains("data-ready=\"yes\""), "the script came to its end");
        assert!(!document.contains("<script>alert"));
        let marks = suite.goals.iter().map(|goal| goal.tests.len()).sum::<usize>();
        assert_eq!(document.matches("<td class=\"on").count(), marks);
    }
}

/// A page in a browser after a script of ours, as it stands then.
fn browsed(page: &str, script: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let page = page.replace("</body>", &format!("<script>{script}</script></body>"));
    let path = write(folder.path(), "report.html", &page);
    let mut command = Command::new("chromium");
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]);
    command.args(["--virtual-time-budget=5000", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
    command.arg(format!("file://{}", path.display()));
    String::from_utf8_lossy(&run(&mut command).stdout).into_owned()
}

#[test]
fn goals_of_a_report_are_searched_sorted_and_filtered() {
    if !available("chromium", &["--version"]) {
        return;
    }
    let suite = suites().next().expect("the policy");
    let page = exported(&suite, Format::Html);
    let look = "const rows = () => [...document.querySelectorAll('#goals tbody tr:not([hidden])')].map((row) => row.id);\
        const say = (name) => { document.documentElement.dataset[name] = rows().join(' '); };\
        const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));\
        const search = document.getElementById('search');";
    let script = format!(
        "{look} document.querySelector('#goals thead button').click(); document.querySelector('#goals thead button').click(); say('down');\
         search.value = 'C3'; search.dispatchEvent(new Event('input')); say('searched');\
         press('Escape'); say('all');\
         document.querySelector('nav button[data-show=unknown]').click(); say('open');\
         press('Escape'); press('n'); document.documentElement.dataset.next = location.hash;\
         document.documentElement.dataset.wide = document.documentElement.scrollWidth > innerWidth;"
    );
    let document = browsed(&page, &script);
    let down = "goal-c4 goal-c3 goal-c2 goal-c1";
    for (name, value) in [
        ("down", down),
        ("searched", "goal-c3"),
        ("all", down),
        ("open", "goal-c4"),
        ("next", "#goal-c3"),
        ("wide", "false"),
    ] {
        let expected = format!("data-{name}=\"{value}\"");
        assert!(document.contains(&expected), "{expected} is not in {}", document.lines().take(3).collect::<String>());
    }
}

#[test]
fn numbers_a_language_cannot_hold_are_refused_by_name() {
    let mut suite = suites().next().expect("the policy");
    suite.tests[1].inputs["age"] = "9223372036854775808".into();
    let error = export(&suite, Format::C, &Extras::default()).expect_err("it is too large").to_string();
    assert!(error.contains("t2") && error.contains("`age`") && error.contains("64 bits"), "{error}");
    assert!(export(&suite, Format::Rust, &Extras::default()).is_ok());
    suite.tests[1].inputs["age"] = "9".repeat(50).into();
    assert!(export(&suite, Format::Rust, &Extras::default()).is_err());
    assert!(export(&suite, Format::Pytest, &Extras::default()).is_ok());
}

#[test]
fn suites_of_documents_are_refused_where_types_are_needed() {
    let suite = suites().nth(3).expect("the document");
    assert!(export(&suite, Format::C, &Extras::default()).is_err());
    assert!(export(&suite, Format::Rust, &Extras::default()).is_err());
}
