//! A C harness that runs every test of a suite: `tester.c`, copies of the sources, and a Makefile.
//!
//! All tests are tables of values; the number of the test is the argument of the program. Values are handed out by name, in
//! the order in which the program asks for them:
//!
//! - arguments of the entry function, which is renamed in the copies;
//! - globals, set before the entry function is called;
//! - results of functions without a body, which the harness defines;
//! - local variables that are read before they are written: in the copies a statement that sets them follows their declaration.
//!
//! The user's files are never changed.

use std::fmt::Write;

use indexmap::IndexMap;

use super::{Input, InputKind, Tests};

/// What the harness has to know about the program besides its tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The files of the program: names and texts.
    pub files: Vec<(String, String)>,
    /// The functions that the harness must define: result type, name, and the parameters as a declaration lists them.
    pub undefined: Vec<(String, String, String)>,
}

/// A test that the harness cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The test, counted from 1.
    pub test: usize,
    /// Why.
    pub reason: String,
}

/// The files of a harness, and the tests that it leaves out.
pub fn harness(suite: &Tests, sources: &Sources, cunit: bool) -> (Vec<(String, String)>, Vec<Unsupported>) {
    let mut left_out = Vec::new();
    let mut tests: Vec<(usize, &[Input])> = Vec::new();
    for (number, test) in suite.tests.iter().enumerate() {
        match reason(&test.inputs) {
            Some(reason) => left_out.push(Unsupported { test: number + 1, reason }),
            None => tests.push((number + 1, &test.inputs)),
        }
    }
    let mut files = vec![("tester.c".to_owned(), tester(suite, sources, &tests, cunit))];
    let locals = locals(&tests);
    for (name, text) in &sources.files {
        files.push((format!("{}.mod.c", base(name)), modified(suite, name, text, &locals)));
    }
    files.push(("Makefile".to_owned(), makefile(sources, &tests, cunit)));
    (files, left_out)
}

/// Why a test cannot be expressed.
fn reason(inputs: &[Input]) -> Option<String> {
    for (at, input) in inputs.iter().enumerate() {
        let again = inputs[..at].iter().any(|other| other.name == input.name && other.kind == input.kind);
        match input.kind {
            InputKind::Heap => return Some("it reads memory from malloc that was never written".into()),
            InputKind::Local if again => {
                return Some(format!("the local variable `{}` is an input more than once", input.name));
            }
            InputKind::Object if input.name.contains("()") => {
                return Some(format!("`{}` belongs to an object that a function without a body returns", input.name));
            }
            InputKind::Result if input.value.starts_with("new[") => {
                return Some(format!("`{}` returns a pointer to an object", input.name));
            }
            InputKind::Global | InputKind::Local if input.value.starts_with("new[") => {
                return Some(format!("`{}` is a pointer to an object", input.name));
            }
            InputKind::Parameter | InputKind::Object | InputKind::Global | InputKind::Local | InputKind::Result => {}
        }
    }
    None
}

/// The local inputs of all tests: the whole input as its first test has it.
fn locals<'a>(tests: &[(usize, &'a [Input])]) -> Vec<&'a Input> {
    let mut found: Vec<&Input> = Vec::new();
    for input in tests.iter().flat_map(|(_, inputs)| *inputs).filter(|input| input.kind == InputKind::Local) {
        if !found.iter().any(|known| known.name == input.name && known.place == input.place) {
            found.push(input);
        }
    }
    found
}

fn tester(suite: &Tests, sources: &Sources, tests: &[(usize, &[Input])], cunit: bool) -> String {
    let entry = &suite.entry;
    let mut text =
        String::from("/* Runs the tests of a suite, each by its number. */\n#include <stdio.h>\n#include <stdlib.h>\n");
    if cunit {
        text.push_str("#include <CUnit/Basic.h>\n");
    }
    text.push_str("\nint specimen_test;\n\n");
    let parameters: Vec<String> = entry.parameters.iter().map(|(ty, name)| declare(ty, name)).collect();
    let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let _ = writeln!(text, "{} specimen_entry_{}({list});\n", entry.result, entry.name);
    // Without its header `assert` is a function that no library has.
    if sources.files.iter().any(|(_, text)| text.contains("assert(")) {
        text.push_str("__attribute__((weak)) void assert(int holds)\n{\n  if (!holds)\n    abort();\n}\n\n");
    }
    for (result, name, parameters) in &sources.undefined {
        stub(&mut text, result, name, parameters, tests);
    }
    for local in locals(tests) {
        let values = cases(tests, |input| {
            input.kind == InputKind::Local && input.name == local.name && input.place == local.place
        });
        let _ = writeln!(text, "{} {}(void)\n{{\n{}  return 0;\n}}\n", local.ty, getter(local), values);
    }
    globals(&mut text, tests);
    call(&mut text, suite, tests);
    text.push_str(if cunit { CUNIT_MAIN } else { MAIN });
    let numbers: Vec<String> = tests.iter().map(|(number, _)| number.to_string()).collect();
    text.replace("@TESTS@", &numbers.join(", ")).replace("@COUNT@", &numbers.len().to_string())
}

/// The cases of a switch over tests that return the one value of an input.
fn cases(tests: &[(usize, &[Input])], wanted: impl Fn(&Input) -> bool) -> String {
    let mut text = String::from("  switch (specimen_test) {\n");
    for (number, inputs) in tests {
        if let Some(input) = inputs.iter().find(|input| wanted(input)) {
            let _ = writeln!(text, "  case {number}: return {};", literal(input));
        }
    }
    text.push_str("  }\n");
    text
}

/// A function without a body: it returns its values one after the other, the last one again and again.
fn stub(text: &mut String, result: &str, name: &str, parameters: &str, tests: &[(usize, &[Input])]) {
    let _ = writeln!(text, "{result} {name}({parameters})\n{{");
    if result == "void" {
        text.push_str("}\n\n");
        return;
    }
    let called = format!("{name}()");
    text.push_str("  static int next;\n  int turn = next++;\n  switch (specimen_test) {\n");
    for (number, inputs) in tests {
        let values: Vec<String> = inputs
            .iter()
            .filter(|input| input.kind == InputKind::Result && (input.name == called || input.name == name))
            .map(literal)
            .collect();
        if values.is_empty() {
            continue;
        }
        let _ =
            writeln!(text, "  case {number}: {{\n    static const {result} values[] = {{ {} }};", values.join(", "));
        let _ = writeln!(text, "    return values[turn < {0} ? turn : {0} - 1];\n  }}", values.len());
    }
    text.push_str("  }\n  return 0;\n}\n\n");
}

fn globals(text: &mut String, tests: &[(usize, &[Input])]) {
    let mut declared: IndexMap<&str, &str> = IndexMap::new();
    let mut body = String::new();
    for (number, inputs) in tests {
        let mut lines = String::new();
        for input in inputs.iter().filter(|input| input.kind == InputKind::Global) {
            let root = input.name.split(['.', '[', '-']).next().unwrap_or_default();
            if root == input.name {
                declared.insert(root, &input.ty);
            }
            let _ = writeln!(lines, "    {} = {};", input.name, literal(input));
        }
        if !lines.is_empty() {
            let _ = writeln!(body, "  case {number}:\n{lines}    break;");
        }
    }
    for (name, ty) in declared {
        let _ = writeln!(text, "extern {};", declare(ty, name));
    }
    let _ = writeln!(text, "static void specimen_globals(void)\n{{\n  switch (specimen_test) {{\n{body}  }}\n}}\n");
}

/// The call of the entry function, with objects built for pointers.
fn call(text: &mut String, suite: &Tests, tests: &[(usize, &[Input])]) {
    let _ = writeln!(text, "static void specimen_call(void)\n{{\n  specimen_globals();\n  switch (specimen_test) {{");
    for (number, inputs) in tests {
        let _ = writeln!(text, "  case {number}: {{");
        for (ty, name) in &suite.entry.parameters {
            let given = inputs.iter().find(|input| input.kind == InputKind::Parameter && input.name == *name);
            match given {
                Some(input) if input.value.starts_with("new[") => {
                    let count = input.value.trim_start_matches("new[").trim_end_matches(']');
                    let element = ty.trim_end().trim_end_matches('*').trim_end().trim_start_matches("const ");
                    let _ = writeln!(text, "    {element} *{name} = calloc({count}, sizeof *{name});");
                }
                Some(input) => {
                    let _ = writeln!(text, "    {} = {};", declare(ty, name), literal(input));
                }
                None if ty.starts_with("struct ") || ty.starts_with("union ") => {
                    let _ = writeln!(text, "    {} = {{ 0 }};", declare(ty, name));
                }
                None => {
                    let _ = writeln!(text, "    {} = 0;", declare(ty, name));
                }
            }
        }
        for input in inputs.iter().filter(|input| input.kind == InputKind::Object || is_part(input)) {
            if input.value.starts_with("new[") {
                let count = input.value.trim_start_matches("new[").trim_end_matches(']');
                let _ = writeln!(text, "    {0} = calloc({count}, sizeof *{0});", input.name);
            } else {
                let _ = writeln!(text, "    {} = {};", input.name, literal(input));
            }
        }
        let names: Vec<&str> = suite.entry.parameters.iter().map(|(_, name)| name.as_str()).collect();
        let _ = writeln!(text, "    specimen_entry_{}({});\n    return;\n  }}", suite.entry.name, names.join(", "));
    }
    text.push_str("  }\n}\n\n");
}

/// Whether an input is a part of a structure that is an argument.
fn is_part(input: &Input) -> bool {
    input.kind == InputKind::Parameter && input.name.contains(['.', '['])
}

const MAIN: &str = "\
int main(int count, char *words[])
{
  static const int tests[] = { @TESTS@ };
  int at;
  if (count != 2) {
    fprintf(stderr, \"usage: %s TEST\\n\", words[0]);
    return 1;
  }
  specimen_test = atoi(words[1]);
  if (specimen_test <= 0)
    return 2;
  for (at = 0; at < @COUNT@; ++at)
    if (tests[at] == specimen_test) {
      specimen_call();
      return 0;
    }
  return 3;
}
";

const CUNIT_MAIN: &str = "\
static void specimen_run(void)
{
  specimen_call();
  CU_PASS(\"the test came to its end\");
}

int main(int count, char *words[])
{
  CU_pSuite suite;
  if (count != 2) {
    fprintf(stderr, \"usage: %s TEST\\n\", words[0]);
    return 1;
  }
  specimen_test = atoi(words[1]);
  if (CU_initialize_registry() != CUE_SUCCESS)
    return 2;
  suite = CU_add_suite(\"specimen\", NULL, NULL);
  if (suite == NULL || CU_add_test(suite, words[1], specimen_run) == NULL)
    return 2;
  CU_basic_run_tests();
  count = (int)CU_get_number_of_failures();
  CU_cleanup_registry();
  return count != 0;
}
";

/// A copy of a source file: the entry function renamed, local inputs set behind their declarations.
fn modified(suite: &Tests, name: &str, text: &str, locals: &[&Input]) -> String {
    let mut changed = format!("#define {0} specimen_entry_{0}\n", suite.entry.name);
    let here: Vec<&&Input> = locals.iter().filter(|input| base(&input.place.file) == base(name)).collect();
    for local in &here {
        let _ = writeln!(changed, "extern {} {}(void);", local.ty, getter(local));
    }
    let _ = writeln!(changed, "#line 1 \"{name}\"");
    let mut insertions: Vec<(usize, String)> = Vec::new();
    for local in here {
        let line_start: usize =
            text.split_inclusive('\n').take(local.place.line.saturating_sub(1) as usize).map(str::len).sum();
        let at = (line_start + local.place.column.saturating_sub(1) as usize).min(text.len());
        if let Some(end) = declaration_end(text, at) {
            insertions.push((end, format!(" {} = {}();", local.name, getter(local))));
        }
    }
    insertions.sort_by_key(|(at, _)| *at);
    let mut from = 0;
    for (at, words) in insertions {
        changed.push_str(&text[from..at]);
        changed.push_str(&words);
        from = at;
    }
    changed.push_str(&text[from..]);
    changed
}

/// Where the declaration that a place lies in ends: behind its semicolon.
fn declaration_end(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0i32;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b';' if depth <= 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn makefile(sources: &Sources, tests: &[(usize, &[Input])], cunit: bool) -> String {
    let objects: Vec<String> = sources.files.iter().map(|(name, _)| format!("{}.mod.o", base(name))).collect();
    let numbers: Vec<String> = tests.iter().map(|(number, _)| number.to_string()).collect();
    let libraries = if cunit { " -lcunit -lm" } else { " -lm" };
    format!(
        "# Builds and runs the tests. BUILD_FLAGS may hold options of the compiler, such as --coverage.\n\
         CC ?= cc\nBUILD_FLAGS ?=\nTESTS = {numbers}\nOBJECTS = tester.o {objects}\n\n\
         tester: $(OBJECTS)\n\t$(CC) $(BUILD_FLAGS) -o $@ $(OBJECTS){libraries}\n\n\
         %.o: %.c\n\t$(CC) $(BUILD_FLAGS) -w -c -o $@ $<\n\n\
         run_tests: tester\n\t@failed=0; for test in $(TESTS); do echo \"./tester $$test\"; ./tester $$test || failed=1; done; exit $$failed\n\n\
         clean:\n\trm -f tester $(OBJECTS) *.gcda *.gcno *.gcov\n\n\
         .PHONY: run_tests clean\n",
        numbers = numbers.join(" "),
        objects = objects.join(" "),
    )
}

/// The name of a file without folders.
fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The function of the harness that gives a local input its value.
fn getter(input: &Input) -> String {
    let plain: String = input.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("specimen_local_{}_{}_{plain}", input.place.line, input.place.column)
}

/// A declaration of a name with a type, as far as the type is written in front of the name.
pub(super) fn declare(ty: &str, name: &str) -> String {
    match (ty.find("(*)"), ty.find('[')) {
        (Some(at), _) => format!("{}(*{name}){}", &ty[..at], &ty[at + 3..]),
        (None, Some(at)) => format!("{} {name}{}", ty[..at].trim_end(), &ty[at..]),
        (None, None) if ty.ends_with('*') => format!("{ty}{name}"),
        (None, None) => format!("{ty} {name}"),
    }
}

/// The value as a C expression.
fn literal(input: &Input) -> String {
    match input.value.as_str() {
        "null" => "0".into(),
        "inf" => "(1.0 / 0.0)".into(),
        "-inf" => "(-1.0 / 0.0)".into(),
        "NaN" => "(0.0 / 0.0)".into(),
        "-9223372036854775808" => "(-9223372036854775807LL - 1)".into(),
        value => {
            let wide = value.trim_start_matches('-').len() > 9
                && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
            let suffix = match (wide, value.starts_with('-')) {
                (true, true) => "LL",
                (true, false) => "ULL",
                (false, _) => "",
            };
            format!("{value}{suffix}")
        }
    }
}
