//! Memory that the world changes: volatile variables that nobody defines, and fixed addresses. Each read of it gets a value of its own,
//! and what is written there is compared.
//!
//! The pages of such memory may not be touched. An access ends in a handler, which puts the next value there if it is a read, opens
//! the page for this one instruction, looks at what a write left there, and closes it behind. So the program is compiled as it is, whatever macros and pointers it
//! reaches registers by. This needs a processor that can stop behind an instruction, and a system that lets programs ask for it.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::super::after::Wanted;
use super::super::{Cut, Input, InputKind, Test};
use super::names::quoted;
use super::part::{Part, place, root};
use super::{Numbered, Sources, literal, number_literal};

/// What the memory of the world is in a suite.
pub(super) struct World {
    /// The names of inputs that are parts of volatile variables and change while some test runs.
    changing: BTreeSet<String>,
    /// The variables that tests expect writes to.
    written: BTreeSet<String>,
    /// Whether the program knows fixed addresses.
    fixed: bool,
}

/// Whether an input is memory at a fixed address.
pub(super) fn is_fixed(input: &Input) -> bool {
    input.kind == InputKind::Heap && input.name.starts_with("*(")
}

/// Whether the value of an input can be put into memory byte by byte.
pub(super) fn is_number(input: &Input) -> bool {
    let digits = input.value.strip_prefix('-').unwrap_or(&input.value);
    (input.value == "null" || digits.bytes().all(|byte| byte.is_ascii_digit()))
        && !input.ty.contains("double")
        && !input.ty.contains("float")
}

impl World {
    pub(super) fn new(tests: &[Numbered<'_>], sources: &Sources) -> World {
        let mut changing = BTreeSet::new();
        for (_, test) in tests {
            let mut seen = BTreeSet::new();
            for input in test.inputs.iter().filter(|input| input.kind == InputKind::Global) {
                if !seen.insert(&input.name) {
                    changing.insert(input.name.clone());
                }
            }
        }
        let compared = tests.iter().any(|(_, test)| test.expected.writes.is_some());
        let written = if compared { sources.devices.iter().cloned().collect() } else { BTreeSet::new() };
        World { changing, written, fixed: !sources.addresses.is_empty() }
    }

    /// Whether there is anything to do.
    pub(super) fn is_needed(&self) -> bool {
        self.fixed || !self.changing.is_empty() || !self.written.is_empty()
    }

    /// Whether reads of an input are fed one by one.
    pub(super) fn feeds(&self, input: &Input) -> bool {
        is_fixed(input) || self.feeds_variable(input)
    }

    fn feeds_variable(&self, input: &Input) -> bool {
        let is_watched = || self.written.contains(root(&input.name).0) && is_number(input);
        input.kind == InputKind::Global && (self.changing.contains(&input.name) || is_watched())
    }

    /// Whether a variable has such parts: it gets pages of its own.
    pub(super) fn changes(&self, variable: &str) -> bool {
        self.written.contains(variable) || self.changing.iter().any(|name| root(name).0 == variable)
    }
}

impl Part<'_> {
    /// The function that says which values reads of the world get.
    pub(super) fn feeding(&self, text: &mut String) {
        text.push_str(
            "void specimen_feed(const volatile void *place, unsigned long size, const unsigned long long *values, \
             unsigned long count, int cut);\nvoid specimen_write(const volatile void *place, unsigned long size, \
             const volatile void *value, const char *name);\nvoid specimen_writes(int missing, int more);\nvoid specimen_pages(const volatile void *place, unsigned long size, int fixed);\n\
             static void specimen_world(void)\n{\n",
        );
        for address in &self.sources.addresses {
            let _ = writeln!(text, "  specimen_pages((const volatile void *){address:#x}ul, 16, 1);");
        }
        for name in self.sources.undefined_variables.iter().filter(|name| self.world.changes(name)) {
            let _ = writeln!(text, "  specimen_pages(&{name}, sizeof {name}, 0);");
        }
        text.push_str("  switch (specimen_test) {\n");
        for (number, test) in self.tests {
            let mut lines = String::new();
            let mut done: BTreeSet<&str> = BTreeSet::new();
            for input in test.inputs.iter().filter(|input| self.world.feeds(input)) {
                if !done.insert(&input.name) {
                    continue;
                }
                let same = |other: &&Input| other.kind == input.kind && other.name == input.name;
                let values: Vec<String> = test.inputs.iter().filter(same).map(literal).collect();
                let target = match is_fixed(input) {
                    true => input.name.replacen("*(", "*(volatile ", 1),
                    false => place(input, root(&input.name).0),
                };
                let at = done.len();
                let cut = i32::from(test.expected.cut == Some(Cut::Inputs));
                let _ = writeln!(
                    lines,
                    "    {{\n      static const unsigned long long values{at}[] = {{ {} }};\n      \
                     specimen_feed(&{target}, sizeof({}), values{at}, {}, {cut});\n    }}",
                    values.join(", "),
                    input.ty.trim_start_matches("volatile "),
                    values.len(),
                );
            }
            writes(&mut lines, test);
            if !lines.is_empty() {
                let _ = writeln!(text, "  case {number}:\n{lines}    break;");
            }
        }
        text.push_str("  }\n}\n\n");
    }
}

/// Says which writes a test expects. Of pointers to objects, and of what is not a number, only the place is compared.
fn writes(lines: &mut String, test: &Test) {
    let Some(writes) = &test.expected.writes else { return };
    for (at, write) in writes.list.iter().enumerate() {
        let value = match &write.wanted {
            Wanted::Number(value) if value != "NaN" => Some(number_literal(value)),
            Wanted::Null => Some("0".to_owned()),
            Wanted::Number(_) | Wanted::Object | Wanted::Address(_) | Wanted::Function(..) | Wanted::Freed => None,
        };
        let (ty, address, name) = (&write.ty, &write.address, quoted(&write.name));
        let place = format!("(const volatile void *){address}, sizeof({ty})");
        let _ = match value {
            Some(value) => writeln!(
                lines,
                "    {{\n      static const {ty} written{at} = ({ty})({value});\n      \
                 specimen_write({place}, &written{at}, {name});\n    }}"
            ),
            None => writeln!(lines, "    specimen_write({place}, 0, {name});"),
        };
    }
    let whole = test.expected.cut.is_none();
    let missing = whole && !test.expected.aborts;
    let more = whole && writes.complete;
    let _ = writeln!(lines, "    specimen_writes({}, {});", i32::from(missing), i32::from(more));
}

/// What stands in front of the tester where there is such memory.
pub(super) const FEATURES: &str = "#define _GNU_SOURCE\n";

/// What feeds the reads.
pub(super) const HOOK: &str = "\
/* Memory that the world changes: its pages are closed. Whoever touches one gets the next value if he reads, and the page is open for
   this one instruction. */
#include <stdint.h>

int specimen_cannot(const char *why)
{
  fprintf(stderr, \"test %d cannot be run: %s\\n\", specimen_test, why);
  exit(5);
}

#if defined(__linux__) && defined(__x86_64__)
#include <sys/mman.h>
#include <ucontext.h>

enum { SPECIMEN_PAGE = 4096, SPECIMEN_MOST = 1024 };

static struct {
  uintptr_t place;
  unsigned long size, count, next;
  const unsigned long long *values;
  int cut;
} specimen_cells[SPECIMEN_MOST];
static int specimen_cell_count;
static uintptr_t specimen_closed[SPECIMEN_MOST];
static int specimen_closed_count;
static uintptr_t specimen_open[2];
static struct {
  uintptr_t place;
  unsigned long size;
  const volatile void *value;
  const char *name;
} specimen_expected[SPECIMEN_MOST];
static int specimen_expected_count, specimen_written, specimen_no_fewer, specimen_no_more;
static uintptr_t specimen_target;

static void specimen_miswritten(const char *what, const char *name)
{
  fprintf(stderr, \"test %d %s %s\\n\", specimen_test, what, name);
  _exit(@DIFFERS@);
}

/* Compares a write to a device with the one whose turn it is. */
static void specimen_compare(uintptr_t place)
{
  int at = specimen_written++;
  if (at >= specimen_expected_count) {
    if (specimen_no_more)
      specimen_miswritten(\"writes to a device\", \"once more than expected\");
    return;
  }
  if (specimen_expected[at].place != place)
    specimen_miswritten(\"does not write next to\", specimen_expected[at].name);
  if (specimen_expected[at].value != NULL
      && memcmp((const void *)place, (const void *)specimen_expected[at].value, specimen_expected[at].size) != 0)
    specimen_miswritten(\"writes something else to\", specimen_expected[at].name);
}

static void specimen_unwritten(void)
{
  if (specimen_no_fewer && specimen_written < specimen_expected_count)
    specimen_miswritten(\"never writes to\", specimen_expected[specimen_written].name);
}

static int specimen_is_closed(uintptr_t page)
{
  int at;
  for (at = 0; at < specimen_closed_count; ++at)
    if (specimen_closed[at] == page)
      return 1;
  return 0;
}

static void specimen_access(int number, siginfo_t *info, void *context)
{
  ucontext_t *machine = context;
  uintptr_t place = (uintptr_t)info->si_addr, page = place & ~(uintptr_t)(SPECIMEN_PAGE - 1);
  int at, slot = specimen_open[0] != 0;
  if (!specimen_is_closed(page) || specimen_open[1] != 0) {
    signal(number, SIG_DFL);
    return;
  }
  mprotect((void *)page, SPECIMEN_PAGE, PROT_READ | PROT_WRITE);
  specimen_open[slot] = page;
  machine->uc_mcontext.gregs[REG_EFL] |= 0x100;
  if (machine->uc_mcontext.gregs[REG_ERR] & 2) {
    specimen_target = place;
    return;
  }
  for (at = 0; at < specimen_cell_count; ++at)
    if (specimen_cells[at].place <= place && place < specimen_cells[at].place + specimen_cells[at].size) {
      if (specimen_cells[at].next < specimen_cells[at].count)
        memcpy((void *)specimen_cells[at].place, &specimen_cells[at].values[specimen_cells[at].next], specimen_cells[at].size);
      else if (specimen_cells[at].cut)
        specimen_stop();
      else
        memset((void *)specimen_cells[at].place, 0, specimen_cells[at].size);
      ++specimen_cells[at].next;
    }
}

static void specimen_behind(int number, siginfo_t *info, void *context)
{
  ucontext_t *machine = context;
  int slot;
  (void)number;
  (void)info;
  if (specimen_target != 0)
    specimen_compare(specimen_target);
  specimen_target = 0;
  for (slot = 0; slot < 2; ++slot)
    if (specimen_open[slot] != 0) {
      mprotect((void *)specimen_open[slot], SPECIMEN_PAGE, PROT_NONE);
      specimen_open[slot] = 0;
    }
  machine->uc_mcontext.gregs[REG_EFL] &= ~0x100ll;
}

/* Closes the pages of a place; those at fixed addresses are made first. */
void specimen_pages(const volatile void *place, unsigned long size, int fixed)
{
  uintptr_t first = (uintptr_t)place & ~(uintptr_t)(SPECIMEN_PAGE - 1), page;
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGTRAP };
  unsigned at;
  for (at = 0; at < sizeof numbers / sizeof *numbers; ++at) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = numbers[at] == SIGTRAP ? specimen_behind : specimen_access;
    action.sa_flags = SA_SIGINFO;
    sigaction(numbers[at], &action, NULL);
  }
  for (page = first; page < (uintptr_t)place + size; page += SPECIMEN_PAGE) {
    if (specimen_is_closed(page))
      continue;
    if (fixed && mmap((void *)page, SPECIMEN_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != (void *)page)
      continue;
    if (mprotect((void *)page, SPECIMEN_PAGE, PROT_NONE) != 0 || specimen_closed_count == SPECIMEN_MOST)
      continue;
    specimen_closed[specimen_closed_count++] = page;
  }
}

/* The next write to a device goes to this place; without a value nobody knows what it is. */
void specimen_write(const volatile void *place, unsigned long size, const volatile void *value, const char *name)
{
  if (!specimen_is_closed((uintptr_t)place & ~(uintptr_t)(SPECIMEN_PAGE - 1)))
    specimen_cannot(\"memory that it writes cannot be watched at its address on this machine\");
  if (specimen_expected_count == SPECIMEN_MOST)
    specimen_cannot(\"there are too many writes to devices\");
  specimen_expected[specimen_expected_count].place = (uintptr_t)place;
  specimen_expected[specimen_expected_count].size = size;
  specimen_expected[specimen_expected_count].value = value;
  specimen_expected[specimen_expected_count].name = name;
  specimen_expected_count++;
}

/* Whether missing and further writes are wrong. */
void specimen_writes(int missing, int more)
{
  specimen_no_fewer = missing;
  specimen_no_more = more;
  atexit(specimen_unwritten);
}

/* Reads of a place get these values one after the other. */
void specimen_feed(const volatile void *place, unsigned long size, const unsigned long long *values, unsigned long count, int cut)
{
  if (!specimen_is_closed((uintptr_t)place & ~(uintptr_t)(SPECIMEN_PAGE - 1)))
    specimen_cannot(\"memory that it reads cannot be watched at its address on this machine\");
  if (specimen_cell_count == SPECIMEN_MOST)
    specimen_cannot(\"there are too many places that the world changes\");
  specimen_cells[specimen_cell_count].place = (uintptr_t)place;
  specimen_cells[specimen_cell_count].size = size;
  specimen_cells[specimen_cell_count].values = values;
  specimen_cells[specimen_cell_count].count = count;
  specimen_cells[specimen_cell_count].cut = cut;
  specimen_cell_count++;
}
#else
void specimen_pages(const volatile void *place, unsigned long size, int fixed)
{
  (void)place, (void)size, (void)fixed;
  specimen_cannot(\"memory that the world changes can be watched on Linux with x86-64 only\");
}

void specimen_feed(const volatile void *place, unsigned long size, const unsigned long long *values, unsigned long count, int cut)
{
  (void)place, (void)size, (void)values, (void)count, (void)cut;
}

void specimen_write(const volatile void *place, unsigned long size, const volatile void *value, const char *name)
{
  (void)place, (void)size, (void)value, (void)name;
}

void specimen_writes(int missing, int more)
{
  (void)missing, (void)more;
}
#endif

";
