//! What a harness compares behind a call: objects, variables of static storage, and the calls of functions that it defines.

use std::fmt::Write;

use super::super::after::{Access, After, Built, Bytes, Calls, ExpectedArgument, ExpectedCall, Root, Wanted};
use super::super::{Expected, Test};
use super::part::Part;
use super::{Undefined, base, number_literal};

/// What every part knows of the comparison.
pub(super) const DECLARATIONS: &str = "\
struct specimen_part { unsigned long offset, size; const char *name; };
extern char *specimen_objects[], *specimen_then[];
void *specimen_filled(unsigned long count, unsigned long size);
void specimen_keep(int object, void *place, unsigned long size);
int specimen_same(const char *name, int indexed, const char *now, const char *then, unsigned long count, unsigned long stride,
                  const struct specimen_part *parts, int more);
int specimen_changed(const char *name);
void specimen_miscalled(int turn, const char *name);
extern int specimen_turn;
";

/// The same, for the program around the tests.
pub(super) const DEFINITIONS: &str = "\
struct specimen_part { unsigned long offset, size; const char *name; };
char *specimen_objects[@OBJECTS@], *specimen_then[@OBJECTS@];
int specimen_turn;
int specimen_calls_missing(void);

/* Memory in which nothing is zero by chance. */
void *specimen_filled(unsigned long count, unsigned long size)
{
  unsigned char *place = malloc(count * size + 1);
  unsigned long at;
  for (at = 0; place != NULL && at < count * size; ++at)
    place[at] = (unsigned char)(0xa1 + at % 31);
  return place;
}

/* Remembers an object as it is before the call. */
void specimen_keep(int object, void *place, unsigned long size)
{
  specimen_objects[object] = place;
  specimen_then[object] = malloc(size + 1);
  while (specimen_then[object] != NULL && 0 < size--)
    specimen_then[object][size] = ((char *)place)[size];
}

/* Says that a part of memory is not what is expected behind the call. */
int specimen_changed(const char *name)
{
  fprintf(stderr, \"test %d leaves something else in %s\\n\", specimen_test, name);
  return 1;
}

/* Compares what has a meaning in an object or a variable, byte by byte. */
int specimen_same(const char *name, int indexed, const char *now, const char *then, unsigned long count, unsigned long stride,
                  const struct specimen_part *parts, int more)
{
  unsigned long at;
  int part, wrong = 0;
  for (at = 0; at < count; ++at)
    for (part = 0; part < more; ++part) {
      unsigned long from = at * stride + parts[part].offset;
      char text[256];
      unsigned long byte = 0;
      while (byte < parts[part].size && now[from + byte] == then[from + byte])
        ++byte;
      if (byte == parts[part].size)
        continue;
      if (indexed)
        snprintf(text, sizeof text, \"%s[%lu]%s\", name, at, parts[part].name);
      else
        snprintf(text, sizeof text, \"%s%s\", name, parts[part].name);
      wrong |= specimen_changed(text);
    }
  return wrong;
}

/* A function that the program does not define was called out of turn, or with other arguments. */
void specimen_miscalled(int turn, const char *name)
{
  fprintf(stderr, \"test %d makes another call %d: %s\\n\", specimen_test, turn + 1, name);
  _exit(@DIFFERS@);
}

static void specimen_end(void)
{
  if (specimen_calls_missing()) {
    fprintf(stderr, \"test %d makes only the first %d of its calls\\n\", specimen_test, specimen_turn);
    _exit(@DIFFERS@);
  }
}

";

/// The objects that are built for the last call of a test, with their numbers.
pub(super) fn built(test: &Test) -> impl Iterator<Item = (usize, &Built)> {
    test.objects.iter().enumerate().filter(|(_, built)| built.count != 0)
}

/// A text as C writes it in quotes.
fn quoted(text: &str) -> String {
    super::names::quoted(text)
}

fn table(parts: &[Bytes]) -> String {
    let one = |part: &Bytes| format!("{{ {}, {}, {} }}", part.offset, part.size, quoted(&part.name));
    let list: Vec<String> = parts.iter().map(one).collect();
    let list = if list.is_empty() { "{ 0, 0, \"\" }".to_owned() } else { list.join(", ") };
    format!("(const struct specimen_part[]){{ {list} }}, {}", parts.len())
}

/// The address of a place, as bytes; `then` for what it should hold.
fn address(access: &Access, then: bool) -> String {
    let mut text = match &access.root {
        Root::Object(at) if then => format!("specimen_then[{at}]"),
        Root::Object(at) => format!("specimen_objects[{at}]"),
        Root::Variable(name, _) if then => format!("specimen_then_{name}"),
        Root::Variable(name, _) => format!("(char *)&{name}"),
        Root::Result => "(char *)&specimen_result".to_owned(),
    };
    for pointer in &access.pointers {
        text = format!("*(char **)({text} + {pointer})");
    }
    format!("({text} + {})", access.offset)
}

impl Part<'_> {
    /// Whether a part of memory can be named in a file.
    fn is_known(&self, access: &Access, at: usize) -> bool {
        match &access.root {
            Root::Object(_) | Root::Result => true,
            Root::Variable(_, file) => self.is_in(file, at),
        }
    }

    /// Whether a file of the program is this one; what belongs to none belongs to the file of the entry function.
    pub(super) fn is_in(&self, file: &str, at: usize) -> bool {
        let names = |unit: &super::Unit| base(&unit.name) == base(file);
        let known = self.sources.files.iter().any(names);
        names(&self.sources.files[at]) || (!known && at == self.home())
    }

    /// When a place of this type holds what is expected; nothing where that cannot be said in C.
    fn holds(&self, at: usize, place: &str, ty: &str, wanted: &Wanted) -> Option<String> {
        Some(match wanted {
            Wanted::Number(value) if value == "NaN" => format!("*({ty} *){place} != *({ty} *){place}"),
            Wanted::Number(value) => format!("*({ty} *){place} == ({ty})({})", number_literal(value)),
            Wanted::Null => format!("*(void **){place} == 0"),
            Wanted::Object => format!("*(void **){place} != 0"),
            Wanted::Address(access) if self.is_known(access, at) && access.pointers.is_empty() => {
                format!("*(char **){place} == {}", address(access, false))
            }
            Wanted::Function(name, file) if self.is_in(file, at) => {
                format!("*(void **){place} == (void *)&{}", name)
            }
            Wanted::Address(_) | Wanted::Function(..) => format!("*(void **){place} != 0"),
            Wanted::Freed => return None,
        })
    }

    /// Writes down what a place should hold; nothing where it is only known that there is a pointer.
    fn put(&self, text: &mut String, at: usize, name: &str, access: &Access, wanted: &Wanted) {
        let (now, then) = (address(access, false), address(access, true));
        let value = match wanted {
            Wanted::Number(value) if value != "NaN" => format!("({})({})", access.ty, number_literal(value)),
            Wanted::Null => "0".to_owned(),
            Wanted::Address(other) if self.is_known(other, at) && other.pointers.is_empty() => {
                format!("(void *){}", address(other, false))
            }
            Wanted::Function(function, file) if self.is_in(file, at) => format!("(void *)&{}", function),
            Wanted::Number(_) | Wanted::Object | Wanted::Address(_) | Wanted::Function(..) => {
                if let Some(holds) = self.holds(at, &now, &access.ty, wanted) {
                    let _ = writeln!(
                        text,
                        "    if (!({holds}))\n      specimen_wrong |= specimen_changed({});",
                        quoted(name)
                    );
                }
                let _ = writeln!(text, "    __builtin_memcpy({then}, {now}, sizeof({}));", pointed(&access.ty));
                return;
            }
            Wanted::Freed => return,
        };
        let _ = writeln!(text, "    *({} *){then} = {value};", pointed(&access.ty));
    }

    /// Compares one part of memory as it is.
    fn compare(&self, text: &mut String, at: usize, (name, access, wanted): &(String, Access, Wanted)) {
        if let Some(holds) = self.holds(at, &address(access, false), &access.ty, wanted) {
            let _ = writeln!(text, "    if (!({holds}))\n      specimen_wrong |= specimen_changed({});", quoted(name));
        }
    }

    /// Remembers the objects of a test as they are before its last call.
    pub(super) fn keep(&self, text: &mut String, test: &Test, names: &[(String, String)]) {
        for (at, object) in built(test) {
            let Some((_, own)) = names.iter().find(|(name, _)| *name == object.name) else { continue };
            let _ = writeln!(text, "    specimen_keep({at}, (void *){own}, {}ul);", object.count * object.stride);
        }
    }

    /// Compares the objects of a test and what is reached from its result.
    pub(super) fn compare_objects(&self, text: &mut String, test: &Test) {
        let Some(after) = &test.expected.after else { return };
        let home = self.home();
        let is_here = |access: &Access| !matches!(access.root, Root::Variable(..));
        let freed = |at: usize| {
            after.changes.iter().any(|(_, access, wanted)| access.root == Root::Object(at) && *wanted == Wanted::Freed)
        };
        for (name, access, wanted) in after.changes.iter().filter(|(_, access, _)| is_here(access)) {
            if matches!(access.root, Root::Object(_)) && access.pointers.is_empty() && after.complete {
                self.put(text, home, name, access, wanted);
            } else {
                self.compare(text, home, &(name.clone(), access.clone(), wanted.clone()));
            }
        }
        for (at, object) in built(test).filter(|(at, _)| after.complete && !freed(*at)) {
            let _ = writeln!(
                text,
                "    if (specimen_then[{at}] != 0)\n      specimen_wrong |= specimen_same({}, 1, specimen_objects[{at}], specimen_then[{at}], {}, {}, {});",
                quoted(&object.name),
                object.count,
                object.stride,
                table(&object.parts)
            );
        }
    }

    /// The variables of static storage of a file that are compared.
    fn watched(&self, at: usize) -> impl Iterator<Item = &super::super::after::Watched> {
        self.suite.watched.iter().filter(move |one| self.is_in(&one.file, at) && !self.world.changes(&one.name))
    }

    /// The functions that remember and compare the variables of a file.
    pub(super) fn statics(&self, text: &mut String, at: usize) {
        for one in self.watched(at) {
            let _ = writeln!(
                text,
                "static char specimen_then_{}[{}] __attribute__((aligned(16)));",
                one.name,
                one.size.max(1)
            );
        }
        let _ = writeln!(text, "void specimen_before_{at}(void)\n{{");
        for one in self.watched(at) {
            let _ = writeln!(text, "  __builtin_memcpy(specimen_then_{0}, (void *)&{0}, {1});", one.name, one.size);
        }
        let _ = writeln!(
            text,
            "}}\n\nint specimen_after_{at}(void)\n{{\n  int specimen_wrong = 0;\n  switch (specimen_test) {{"
        );
        for (number, test) in self.tests {
            let Some(after) = &test.expected.after else { continue };
            let lines = self.statics_of(after, at);
            let _ = writeln!(text, "  case {number}: {{\n{lines}    break;\n  }}");
        }
        text.push_str("  }\n  return specimen_wrong;\n}\n\n");
    }

    fn statics_of(&self, after: &After, at: usize) -> String {
        let mut lines = String::new();
        let ours = |access: &Access| matches!(&access.root, Root::Variable(_, file) if self.is_in(file, at));
        let watched = |access: &Access| {
            self.watched(at).any(|one| matches!(&access.root, Root::Variable(name, _) if *name == one.name))
        };
        for change in after.changes.iter().filter(|(_, access, _)| ours(access) && watched(access)) {
            let (name, access, wanted) = change;
            if access.pointers.is_empty() && after.complete {
                self.put(&mut lines, at, name, access, wanted);
            } else {
                self.compare(&mut lines, at, change);
            }
        }
        for one in self.watched(at).filter(|_| after.complete) {
            let _ = writeln!(
                lines,
                "    specimen_wrong |= specimen_same({}, 0, (char *)&{1}, specimen_then_{1}, 1, 0, {2});",
                quoted(&one.name),
                one.name,
                table(&one.parts)
            );
        }
        lines
    }

    /// Compares a call of a function that the harness defines with the one whose turn it is.
    pub(super) fn called(&self, text: &mut String, function: &Undefined) {
        if !self.tests.iter().any(|(_, test)| test.expected.calls.is_some()) {
            return;
        }
        let name = quoted(&function.name);
        text.push_str("  switch (specimen_test) {\n");
        for (number, test) in self.tests {
            let Some(calls) = &test.expected.calls else { continue };
            let _ = writeln!(text, "  case {number}:\n    switch (specimen_turn) {{");
            for (turn, call) in calls.list.iter().enumerate().filter(|(_, call)| call.function == function.name) {
                let _ = writeln!(text, "    case {turn}:");
                for condition in self.conditions(call) {
                    let _ = writeln!(text, "      if (!({condition})) specimen_miscalled({turn}, {name});");
                }
                text.push_str("      break;\n");
            }
            let unexpected = format!("specimen_miscalled(specimen_turn, {name});");
            match is_counted(&test.expected, calls) {
                true => writeln!(text, "    default:\n      {unexpected}\n    }}"),
                false => {
                    writeln!(text, "    default:\n      if (specimen_turn < {}) {unexpected}\n    }}", calls.list.len())
                }
            }
            .unwrap_or_default();
            text.push_str("    break;\n");
        }
        text.push_str("  }\n  ++specimen_turn;\n");
    }

    /// When a call is the expected one.
    fn conditions(&self, call: &ExpectedCall) -> Vec<String> {
        let home = self.home();
        let condition = |argument: &ExpectedArgument| {
            let name = format!("argument{}", argument.number);
            match &argument.behind {
                None => self.passed(&name, &argument.wanted),
                Some((offset, ty)) => self.holds(home, &format!("((char *){name} + {offset})"), ty, &argument.wanted),
            }
        };
        call.arguments.iter().filter_map(condition).collect()
    }

    /// When a value in the file of the entry function is the expected one.
    pub(super) fn passed(&self, value: &str, wanted: &Wanted) -> Option<String> {
        let home = self.home();
        Some(match wanted {
            Wanted::Number(number) if number == "NaN" => format!("{value} != {value}"),
            Wanted::Number(number) => format!("{value} == {}", number_literal(number)),
            Wanted::Null => format!("{value} == 0"),
            Wanted::Address(access) if self.is_known(access, home) && access.pointers.is_empty() => {
                format!("(char *){value} == {}", address(access, false))
            }
            Wanted::Function(name, file) if self.is_in(file, home) => format!("(void *){value} == (void *)&{name}"),
            Wanted::Object | Wanted::Address(_) | Wanted::Function(..) => format!("{value} != 0"),
            Wanted::Freed => return None,
        })
    }

    /// The function that says whether calls are missing at the end.
    pub(super) fn calls_missing(&self, text: &mut String) {
        text.push_str("int specimen_calls_missing(void)\n{\n  switch (specimen_test) {\n");
        for (number, test) in self.tests {
            if let Some(calls) = &test.expected.calls
                && self.sources.undefined.iter().any(|one| one.watched)
            {
                let enough = if test.expected.cut.is_some() || test.expected.aborts { 0 } else { calls.list.len() };
                let _ = writeln!(text, "  case {number}: return specimen_turn < {enough};");
            }
        }
        text.push_str("  }\n  return 0;\n}\n\n");
    }
}

/// Whether further calls than those that are listed are wrong.
fn is_counted(expected: &Expected, calls: &Calls) -> bool {
    calls.complete && expected.cut.is_none()
}

/// A type that pointers can point to: pointers are all alike.
fn pointed(ty: &str) -> String {
    if ty.contains(['*', '(']) { "void *".to_owned() } else { ty.to_owned() }
}
