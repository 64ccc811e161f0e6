//! Runs the cases of `corpus/fql`. A case is a `.fql` file of lines as the shell reads them, and an `.expected` file;
//! `UPDATE_EXPECT=1` writes the latter. Directives stand in comments at the top.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use fql::describe::describe_goal;
use fql::predicates::Predicates;
use fql::program::{Blocks, ProgramGraph};
use fql::shell::{Action, Session};
use fql::{codes, evaluate, normalise, parse, print};
use source::{Diagnostic, Severity, Source};

struct Case {
    path: PathBuf,
    text: String,
}

fn cases(kind: &str) -> Vec<Case> {
    files(kind, "fql")
}

fn files(kind: &str, wanted: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/fql").join(kind);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the corpus is there").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == wanted));
    paths.sort();
    assert!(!paths.is_empty());
    let case = |path: PathBuf| Case { text: std::fs::read_to_string(&path).expect("a text"), path };
    paths.into_iter().map(case).collect()
}

impl Case {
    /// The lines that are not comments.
    fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//"))
    }

    fn expect(&self, actual: &str) {
        let mut name = self.path.clone().into_os_string();
        name.push(".expected");
        expect_file![PathBuf::from(name)].assert_eq(actual);
    }
}

fn describe(line: &str, diagnostic: &Diagnostic) -> String {
    let source = Source::new("query", line);
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut text = format!("  {severity}[{}]: {}\n", diagnostic.code.id, diagnostic.message);
    for label in &diagnostic.labels {
        let snippet: String = source.slice(label.span).chars().take(40).collect();
        let _ = writeln!(text, "    {} {snippet:?} {}", label.span.start + 1, label.text);
    }
    for help in &diagnostic.help {
        let _ = writeln!(text, "    help: {help}");
    }
    text
}

fn shorten(line: &str) -> String {
    if line.chars().count() <= 100 { line.to_owned() } else { line.chars().take(99).chain(['…']).collect() }
}

#[test]
fn accepted_queries_have_these_normal_forms() {
    for case in cases("accept") {
        let mut session = Session::default();
        let mut text = String::new();
        for line in case.lines() {
            let action = session.interpret(line).unwrap_or_else(|error| panic!("{line}\n{}", describe(line, &error)));
            let Action::Query { query, .. } = action else { continue };
            let printed = print(&query);
            assert!(parse(&printed).expect("what is printed can be read").same(&query), "{printed}");
            let normal = normalise(&query).to_query();
            let again = parse(&print(&normal)).expect("a normal form can be read");
            assert_eq!(print(&normalise(&again).to_query()), print(&normal));
            let _ = writeln!(text, "{line}\n  {printed}\n  {}", print(&normal));
        }
        case.expect(&text);
    }
}

#[test]
fn rejected_lines_are_rejected_with_these_messages() {
    for case in cases("reject") {
        let mut session = Session::default();
        let mut text = String::new();
        for line in case.lines() {
            let result = session.interpret(line);
            let said = result.err().map_or("  accepted\n".to_owned(), |error| describe(line, &error));
            let _ = write!(text, "{}\n{said}", shorten(line));
        }
        case.expect(&text);
    }
}

impl Case {
    fn directive(&self, key: &str) -> Option<&str> {
        let comments = self.text.lines().take_while(|line| line.starts_with("//"));
        let mut words = comments.map(|line| line.trim_start_matches('/').trim());
        words.find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim)
    }

    fn blocks(&self) -> Blocks {
        if self.directive("blocks") == Some("loose") { Blocks::Loose } else { Blocks::Strict }
    }

    fn program(&self) -> c::Translation {
        let name = self.directive("program").expect("a program");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/fql/programs");
        let text = std::fs::read_to_string(folder.join(name)).expect("the program is there");
        let shape = c::Shape { inserted_skips: self.blocks() == Blocks::Strict, ..Default::default() };
        let options = c::Options { shape, ..c::Options::default() };
        c::load_text(name, &text, &options).unwrap_or_else(|findings| {
            panic!("{name}: {:?}", findings.iter().map(|one| &one.diagnostic.message).collect::<Vec<_>>())
        })
    }

    fn graph(&self, program: &c::Translation) -> ProgramGraph {
        let entry = self.directive("entry").unwrap_or("main");
        let entry = program.program.function_named(entry).expect("the entry is there");
        ProgramGraph::new(program, entry, self.blocks())
    }
}

#[test]
fn queries_have_these_goals() {
    for case in cases("goals") {
        let mut program = case.program();
        let graph = case.graph(&program).graph;
        let most: usize = case.directive("show").map_or(0, |number| number.parse().expect("a number"));
        let mut session = Session::default();
        let mut text = String::new();
        for line in case.lines() {
            let said = match session.interpret(line) {
                Ok(Action::Query { query, .. }) => match evaluate(&query, &graph) {
                    Ok((spec, warnings)) => {
                        let count = spec.goals.count().expect("a number");
                        let repeated = spec.goals.count_with_repetitions().expect("a number");
                        let mut said = format!("  {count} goals");
                        if repeated != count {
                            let _ = write!(said, ", {repeated} with repetitions");
                        }
                        said.push('\n');
                        for goal in spec.goals.iter().take(most) {
                            let _ = writeln!(said, "    {}", describe_goal(&graph, &spec, &goal));
                        }
                        warnings.iter().for_each(|warning| said.push_str(&describe(line, warning)));
                        match Predicates::compile(&mut program, &spec, graph.nodes.len()) {
                            Ok((_, warnings)) => warnings.iter().for_each(|one| said.push_str(&describe(line, one))),
                            Err(error) => said.push_str(&describe(line, &error)),
                        }
                        let again = case.graph(&program).graph;
                        assert_eq!((again.edges.len(), again.nodes.len()), (graph.edges.len(), graph.nodes.len()));
                        said
                    }
                    Err(error) => describe(line, &error),
                },
                Ok(_) => String::new(),
                Err(error) => describe(line, &error),
            };
            let _ = write!(text, "{line}\n{said}");
        }
        case.expect(&text);
    }
}

#[test]
fn property_files_ask_for_these_queries() {
    for case in files("property", "prp") {
        let said = match fql::read_property(&case.text) {
            Ok(property) => format!("entry {}\n{}\n", property.entry, property.query),
            Err(error) => describe(&case.text, &error),
        };
        case.expect(&said);
    }
}

#[test]
fn every_code_has_words() {
    let mut ids: Vec<&str> = codes::CODES.iter().map(|code| code.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), codes::CODES.len());
    assert!(codes::CODES.iter().all(|code| code.id.starts_with("fql-") && 40 < code.explanation.len()));
}
