//! Referees for C suites: the tests of every example are compiled with gcc and run, and gcov, clang, CUnit and CTest confirm what is
//! claimed about them. A tool that is not installed is said to be absent.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn specimen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_specimen")).args(arguments).output().expect("the program starts")
}

/// Whether a tool is there; says so if it is not.
fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: {tool} is not installed");
    }
    found
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output().expect("the tool starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// An example with a suite.
struct Drawn {
    folder: tempfile::TempDir,
    file: String,
    suite: String,
    tests: usize,
}

impl Drawn {
    fn new(name: &str, criterion: &str) -> Drawn {
        let folder = tempfile::tempdir().expect("a folder");
        let file = root().join("examples/c").join(name).display().to_string();
        let out = folder.path().join("out").display().to_string();
        let mut arguments = vec!["generate", &file, "--criterion", criterion, "--out", &out, "--execute"];
        let function = FUNCTIONS.iter().find(|(example, _)| *example == name).map(|(_, function)| *function);
        arguments.extend(function.iter().flat_map(|function| ["--function", function]));
        let drawn = specimen(&arguments);
        let said = String::from_utf8_lossy(&drawn.stderr).into_owned();
        assert_eq!(drawn.status.code(), Some(0), "{name}: {said}");
        let suite = format!("{out}/suite.json");
        let text = std::fs::read_to_string(&suite).expect("a suite");
        let json: Json = serde_json::from_str(&text).expect("JSON");
        let tests = json["tests"].as_array().map_or(0, Vec::len);
        let all = format!("executed: {tests} of {tests} test{} did what", if tests == 1 { "" } else { "s" });
        assert!(0 < tests && said.contains(&all), "{name}: {said}");
        Drawn { folder, file, suite, tests }
    }

    fn exported(&self, format: &str) -> PathBuf {
        let out = self.folder.path().join(format);
        let place = out.display().to_string();
        let exported = specimen(&["export", &self.suite, "--to", format, "--out", &place]);
        assert!(exported.status.success(), "{}: {}", self.file, String::from_utf8_lossy(&exported.stderr));
        out
    }

    /// For each line the covered goals of a query and all.
    fn lines(&self, criterion: &[&str]) -> BTreeMap<u64, (usize, usize)> {
        let mut arguments = vec!["measure", &self.file, &self.suite, "--format", "json"];
        arguments.extend(criterion);
        let function =
            FUNCTIONS.iter().find(|(example, _)| self.file.ends_with(example)).map(|(_, function)| *function);
        arguments.extend(function.iter().flat_map(|function| ["--function", function]));
        let measured = specimen(&arguments);
        let json: Json = serde_json::from_slice(&measured.stdout).expect("JSON");
        let mut lines: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
        for goal in json["goals"].as_array().expect("goals") {
            // Functions of headers have lines of their own.
            let elsewhere = goal["label"].as_str().is_some_and(|label| label.contains(".h:"));
            if let Some(line) = goal["location"]["line"].as_u64().filter(|_| !elsewhere) {
                let entry = lines.entry(line).or_default();
                entry.0 += usize::from(goal["status"] == "covered");
                entry.1 += 1;
            }
        }
        lines
    }
}

const EXAMPLES: &[&str] = &[
    "bar.c",
    "bubble.c",
    "calculator.c",
    "list2.c",
    "mcdc.c",
    "queue.c",
    "sort1.c",
    "sort2.c",
    "triangle.c",
    "turnstile.c",
    "ranking.c",
];

/// The functions to test, where they are not `main` or the only ones.
const FUNCTIONS: &[(&str, &str)] = &[("calculator.c", "calculate"), ("queue.c", "client")];

/// Whether a tool means the file of this name, wherever it stands.
fn is_file(file: &Json, name: &str) -> bool {
    file.as_str().is_some_and(|file| Path::new(file).ends_with(name))
}

/// For each line that gcov knows: how often it was executed, and of its branches how many were taken and how many there are.
fn gcov(harness: &Path, name: &str) -> BTreeMap<u64, (u64, usize, usize)> {
    let said = run(harness, "gcov", &["--json-format", "--stdout", "-b", &format!("{name}.mod.gcda")]);
    let json: Json = serde_json::from_str(said.lines().next().unwrap_or_default()).expect("JSON");
    let mut lines = BTreeMap::new();
    for file in json["files"].as_array().expect("files").iter().filter(|file| is_file(&file["file"], name)) {
        for line in file["lines"].as_array().expect("lines") {
            let branches = line["branches"].as_array().expect("branches");
            let taken = branches.iter().filter(|branch| branch["count"].as_u64() != Some(0)).count();
            let entry = lines.entry(line["line_number"].as_u64().expect("a line")).or_insert((0, 0, 0));
            entry.0 += line["count"].as_u64().expect("a count");
            entry.1 += taken;
            entry.2 += branches.len();
        }
    }
    lines
}

#[test]
fn every_test_of_every_example_runs_as_expected_and_gcov_sees_what_is_claimed() {
    if !has("gcc") || !has("gcov") || !has("make") {
        return;
    }
    let mut compared = (0, 0);
    for name in EXAMPLES {
        let drawn = Drawn::new(name, "branch");
        let harness = drawn.exported("harness");
        let said = run(&harness, "make", &["-s", "run_tests", "CC=gcc", "BUILD_FLAGS=--coverage -O0"]);
        assert_eq!(said.lines().filter(|line| line.starts_with("./tester ")).count(), drawn.tests, "{name}");
        let seen = gcov(&harness, name);
        for (line, (covered, all)) in drawn.lines(&["--query", "cover EDGES(ID)"]) {
            if let Some((count, _, _)) = seen.get(&line) {
                compared.0 += 1;
                assert_eq!(0 < *count, 0 < covered, "{name}:{line}: gcov {count}, ours {covered} of {all} edges");
            }
        }
        for (line, (covered, all)) in drawn.lines(&["--query", "cover @CONDITIONEDGE"]) {
            // A line whose branches the compiler counts otherwise (a switch, a constant) is not a line to compare.
            if let Some((_, taken, branches)) = seen.get(&line).filter(|seen| seen.2 == all) {
                compared.1 += 1;
                assert_eq!(
                    *taken, covered,
                    "{name}:{line}: gcov {taken} of {branches} branches, ours {covered} of {all}"
                );
            }
        }
    }
    assert!(100 < compared.0 && 40 < compared.1, "{compared:?} lines were compared");
}

#[test]
fn suites_of_cunit_and_ctest_are_built_and_run() {
    for name in ["turnstile.c", "sort1.c"] {
        let drawn = Drawn::new(name, "branch");
        if Path::new("/usr/include/CUnit/Basic.h").exists() {
            let said = run(&drawn.exported("cunit"), "make", &["-s", "run_tests"]);
            assert!(
                said.contains(&format!("tests     {0}      {0}", drawn.tests)) || said.contains("passed"),
                "{said}"
            );
        } else {
            eprintln!("skipped: there is no CUnit");
        }
        if has("cmake") && has("ctest") {
            let folder = drawn.exported("ctest");
            run(&folder, "cmake", &["-S", ".", "-B", "build"]);
            run(&folder, "cmake", &["--build", "build"]);
            let said = run(&folder, "ctest", &["--test-dir", "build"]);
            assert!(said.contains(&format!("0 tests failed out of {}", drawn.tests)), "{said}");
        }
    }
}

/// For each line the conditions for which clang has seen an independence pair, and all conditions.
fn clang_mcdc(harness: &Path, name: &str, tests: usize) -> BTreeMap<u64, (usize, usize)> {
    let flags = ["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"];
    let copy = format!("{name}.mod.c");
    let own = format!("@{name}.mod.flags");
    let mut arguments = vec!["-w", "-O0", &own];
    arguments.extend(flags);
    arguments.extend(["-o", "tester", "tester.c", &copy, "-lm"]);
    run(harness, "clang-19", &arguments);
    let mut profiles = Vec::new();
    for test in 1..=tests {
        let profile = format!("{test}.profraw");
        let mut command = Command::new("./tester");
        command.arg(test.to_string()).current_dir(harness).env("LLVM_PROFILE_FILE", &profile);
        command.output().expect("the tester starts");
        profiles.push(profile);
    }
    let mut merge = vec!["merge", "-o", "all.profdata"];
    merge.extend(profiles.iter().map(String::as_str));
    run(harness, "llvm-profdata-19", &merge);
    let said = run(harness, "llvm-cov-19", &["export", "./tester", "-instr-profile=all.profdata"]);
    let json: Json = serde_json::from_str(&said).expect("JSON");
    let mut lines: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for file in json["data"][0]["files"].as_array().expect("files") {
        if !is_file(&file["filename"], name) {
            continue;
        }
        for record in file["mcdc_records"].as_array().into_iter().flatten() {
            let conditions =
                record.as_array().and_then(|record| record.last()).and_then(Json::as_array).expect("conditions");
            let entry = lines.entry(record[0].as_u64().expect("a line")).or_default();
            entry.0 += conditions.iter().filter(|covered| **covered == Json::Bool(true)).count();
            entry.1 += conditions.len();
        }
    }
    lines
}

#[test]
fn clang_confirms_modified_condition_decision_coverage() {
    if !has("clang-19") || !has("llvm-cov-19") || !has("llvm-profdata-19") {
        return;
    }
    let mut compared = 0;
    for name in ["triangle.c", "turnstile.c", "list2.c", "mcdc.c"] {
        let drawn = Drawn::new(name, "mcdc");
        let harness = drawn.exported("harness");
        let seen = clang_mcdc(&harness, name, drawn.tests);
        let ours = drawn.lines(&["--criterion", "mcdc"]);
        // clang measures decisions of two conditions and more.
        for (line, (covered, all)) in &seen {
            let (our_covered, our_all) = ours.get(line).copied().unwrap_or_default();
            if our_all == *all {
                compared += all;
                assert_eq!(our_covered, *covered, "{name}:{line}: clang {covered} of {all}, ours {our_covered}");
            }
        }
    }
    assert!(20 <= compared, "{compared} conditions were compared");
}

#[test]
fn testcov_confirms_a_suite_of_test_comp() {
    if !has("testcov") || !has("lcov") || !has("clang-tidy") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let text = "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\nint main() {\n  \
                int x = __VERIFIER_nondet_int();\n  unsigned char c = __VERIFIER_nondet_uchar();\n  if (x > 1000 && c == 'x') {\n    \
                if (x % 7 == 3) x = 0;\n  } else if (c < 10) x = -1;\n  while (c > 200) c--;\n  return 0;\n}\n";
    std::fs::write(at("gate.c"), text).expect("a file");
    std::fs::write(at("branches.prp"), "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n").expect("a file");
    let drawn = specimen(&["generate", &at("gate.c"), "--property", &at("branches.prp"), "--out", &at("out")]);
    assert_eq!(drawn.status.code(), Some(0), "{}", String::from_utf8_lossy(&drawn.stderr));
    let exported = specimen(&["export", &at("out/suite.json"), "--to", "test-comp", "--out", &at("xml")]);
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    let names: Vec<String> = std::fs::read_dir(at("xml"))
        .expect("a suite")
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .collect();
    let mut zip = vec!["-m", "zipfile", "-c", "../suite.zip"];
    zip.extend(names.iter().map(String::as_str));
    run(&folder.path().join("xml"), "python3", &zip);
    let goal = ["--no-isolation", "--no-runexec", "--no-plots", "-64", "--goal", "branches.prp"];
    let mut arguments = goal.to_vec();
    arguments.extend(["--test-suite", "suite.zip", "gate.c"]);
    let said = run(folder.path(), "testcov", &arguments);
    assert!(said.contains("Coverage: 100.0%"), "{said}");
}

/// The C files of the corpus that have a function to test, with the options that their first lines ask for.
fn programs_of_the_corpus() -> Vec<(PathBuf, Vec<String>)> {
    let mut found = Vec::new();
    for folder in ["corpus/c/generate", "corpus/c/mcdc", "corpus/fql/programs"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("the corpus is there");
        for path in entries.map(|entry| entry.expect("readable").path()) {
            if path.extension().is_none_or(|extension| extension != "c") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a program is text");
            let mut options = Vec::new();
            if folder.ends_with("mcdc") {
                options.extend(["--function".to_owned(), "f".to_owned()]);
            }
            for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
                match line.split_once(": ") {
                    Some(("entry", name)) => options.extend(["--function".to_owned(), name.to_owned()]),
                    _ if line == "no assertions" => options.push("--no-assert".to_owned()),
                    _ => {}
                }
            }
            found.push((path, options));
        }
    }
    found.sort();
    found
}

/// Whatever is drawn for the programs of the corpus does the same when it is compiled, branch by branch.
#[test]
fn every_test_of_the_corpus_does_the_same_compiled() {
    if !has("gcc") || !has("gcov") || !has("make") {
        return;
    }
    let (mut executed, mut wrong) = (0, Vec::new());
    for (path, options) in programs_of_the_corpus() {
        let file = path.display().to_string();
        let mut arguments = vec!["generate", &file, "--execute", "--timeout", "20"];
        arguments.extend(options.iter().map(String::as_str));
        let output = specimen(&arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // Some need what a harness cannot give: objects that functions without a body return, or memory that was never written.
        if said.contains("cannot be run by a harness") || said.contains("unknown function") {
            eprintln!("left out: {file}: {}", said.lines().last().unwrap_or_default());
            continue;
        }
        let same = said.contains("did what the interpreter says, branch by branch");
        match matches!(output.status.code(), Some(0 | 1)) && same {
            true => executed += 1,
            false => wrong.push(format!("{file}: {said}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(40 <= executed, "{executed}");
}
