//! What builds and runs the tests: the program around them, a Makefile or a CMakeLists.txt, and the script for one test.

use super::super::{Cut, DIFFERS, STOPPED};
use super::after::DEFINITIONS;
use super::world::{FEATURES, HOOK};
use super::{Frame, Numbered};

/// The program around the tests.
pub(super) fn tester(tests: &[Numbered<'_>], frame: Frame, watches: bool) -> String {
    let numbers: Vec<String> = tests.iter().map(|(number, _)| number.to_string()).collect();
    let ends: Vec<String> = tests.iter().map(|(_, test)| test.expected.status().to_string()).collect();
    let is_endless = |(_, test): &&Numbered<'_>| test.expected.cut == Some(Cut::Steps);
    let endless: Vec<String> = tests.iter().filter(is_endless).map(|(number, _)| number.to_string()).collect();
    let body = match frame {
        Frame::Make | Frame::CTest => MAIN,
        Frame::CUnit => CUNIT_MAIN,
    };
    // A table is never empty, so that it is C.
    let list = |items: &[String]| if items.is_empty() { "0".to_owned() } else { items.join(", ") };
    let (features, hook) = if watches { (FEATURES, HOOK) } else { ("", "") };
    let objects = tests.iter().map(|(_, test)| test.objects.len()).max().unwrap_or(0) + 1;
    format!("{features}{HEAD}{DEFINITIONS}{BEGIN}{hook}{body}")
        .replace("@TESTS@", &list(&numbers))
        .replace("@ENDS@", &list(&ends))
        .replace("@ENDLESS@", &list(&endless))
        .replace("@STOPPED@", &STOPPED.to_string())
        .replace("@DIFFERS@", &DIFFERS.to_string())
        .replace("@OBJECTS@", &objects.to_string())
        .replace("@COUNT@", &numbers.len().to_string())
}

const HEAD: &str = "\
/* Runs the tests of a suite, each by its number. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int specimen_test;
int specimen_call(void);

int specimen_differs(const char *expected)
{
  fprintf(stderr, \"test %d does not return %s\\n\", specimen_test, expected);
  return 4;
}

/* The program goes no further: it called a function that never returns and that nobody defines, an assumption does not hold, or
   the inputs have run out. */
void specimen_stop(void)
{
  exit(@STOPPED@);
}

static void specimen_alarm(int signal)
{
  (void)signal;
  specimen_stop();
}

#ifdef SPECIMEN_COVERAGE
/* Counts are written where a program is aborted or leaves without clearing up, too. */
void __gcov_dump(void);
void __real__exit(int status);
void __wrap__exit(int status)
{
  __gcov_dump();
  __real__exit(status);
}
void __wrap__Exit(int status)
{
  __wrap__exit(status);
}
static void specimen_abort(int number)
{
  __gcov_dump();
  signal(number, SIG_DFL);
  raise(number);
}
#endif

";

const BEGIN: &str = "\
/* Begins a test. What is printed before the program is aborted counts too; what goes on for ever is stopped. */
static void specimen_begin(int test)
{
  static const int endless[] = { @ENDLESS@ };
  unsigned at;
  specimen_test = test;
  setvbuf(stdout, NULL, _IONBF, 0);
  atexit(specimen_end);
#ifdef SPECIMEN_COVERAGE
  signal(SIGABRT, specimen_abort);
#endif
  for (at = 0; at < sizeof endless / sizeof *endless; ++at)
    if (endless[at] == test) {
      signal(SIGALRM, specimen_alarm);
      alarm(1);
    }
}

/* What programs assume without a definition. */
__attribute__((weak)) void __VERIFIER_assume(int holds)
{
#ifndef SPECIMEN_NO_ASSUMPTIONS
  if (!holds)
    specimen_stop();
#endif
}

__attribute__((weak)) void __CPROVER_assume(int holds)
{
  __VERIFIER_assume(holds);
}

int specimen_passed_by(const char *name)
{
  fprintf(stderr, \"test %d cannot be run: %s cannot be given a value where control comes by\\n\", specimen_test, name);
  return 5;
}

/* Without its header `assert` is a function that no library has. */
__attribute__((weak)) void assert(int holds)
{
#ifndef NDEBUG
  if (!holds)
    abort();
#endif
}

__attribute__((weak)) void __CPROVER_assert(int holds, const char *text)
{
  (void)text;
#ifndef NDEBUG
  if (!holds)
    abort();
#endif
}

";

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
    if (tests[at] == specimen_test)
    {
      specimen_begin(specimen_test);
      return specimen_call();
    }
  return 3;
}
";

/// Every test has a process of its own: what one leaves in static variables, the next does not see.
const CUNIT_MAIN: &str = "\
#include <sys/wait.h>
#include <CUnit/Basic.h>

static const int tests[] = { @TESTS@ };
static const int ends[] = { @ENDS@ };

/* Whether what a test printed is what is written down; nothing written down means nothing to compare. */
static int same_output(int test)
{
  char name[64];
  FILE *expected, *found;
  int one, other;
  sprintf(name, \"expected/%d.out\", test);
  expected = fopen(name, \"rb\");
  sprintf(name, \"test-%d.out\", test);
  found = fopen(name, \"rb\");
  if (expected == NULL || found == NULL) {
    one = other = expected == NULL ? 0 : 1;
    if (found == NULL && expected != NULL)
      other = 0;
  } else {
    do {
      one = getc(expected);
      other = getc(found);
    } while (one == other && one != EOF);
  }
  if (expected != NULL)
    fclose(expected);
  if (found != NULL)
    fclose(found);
  remove(name);
  return one == other;
}

static int next;

static void run_next(void)
{
  int at = next++, status = -1;
  pid_t child;
  fflush(stdout);
  child = fork();
  if (child == 0) {
    char name[64];
    specimen_test = tests[at];
    sprintf(name, \"test-%d.out\", specimen_test);
    if (freopen(name, \"wb\", stdout) == NULL)
      exit(2);
    specimen_begin(specimen_test);
    exit(specimen_call());
  }
  CU_ASSERT_FATAL(child > 0);
  CU_ASSERT_FATAL(waitpid(child, &status, 0) == child);
  CU_ASSERT_EQUAL(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), ends[at]);
  CU_ASSERT(same_output(tests[at]));
}

int main(void)
{
  static char names[@COUNT@ + 1][32];
  CU_pSuite suite;
  int at, failed;
  if (CU_initialize_registry() != CUE_SUCCESS)
    return 2;
  suite = CU_add_suite(\"specimen\", NULL, NULL);
  for (at = 0; suite != NULL && at < @COUNT@; ++at) {
    sprintf(names[at], \"test %d\", tests[at]);
    if (CU_add_test(suite, names[at], run_next) == NULL)
      return 2;
  }
  CU_basic_set_mode(CU_BRM_VERBOSE);
  CU_basic_run_tests();
  failed = (int)CU_get_number_of_failures();
  CU_cleanup_registry();
  return failed != 0;
}
";

/// Runs one test and compares how it ends and what it prints.
const RUN_TEST: &str = "\
#!/bin/sh
# Runs one test: run_test.sh TESTER NUMBER STATUS. What it prints is compared where that is written down.
here=$(dirname \"$0\")
out=$(mktemp) || exit 2
\"$1\" \"$2\" >\"$out\"
status=$?
failed=0
if [ \"$status\" -ne \"$3\" ]; then
  echo \"test $2: ended with $status instead of $3\" >&2
  failed=1
fi
if [ -f \"$here/expected/$2.out\" ] && ! cmp -s \"$out\" \"$here/expected/$2.out\"; then
  echo \"test $2: printed something else than expected/$2.out\" >&2
  failed=1
fi
rm -f \"$out\"
exit $failed
";

/// What builds the tester and runs all tests.
pub(super) fn scripts(names: &[String], tests: &[Numbered<'_>], frame: Frame) -> Vec<(String, String)> {
    let script = ("run_test.sh".to_owned(), RUN_TEST.to_owned());
    match frame {
        Frame::Make => vec![script, ("Makefile".to_owned(), makefile(names, tests, false))],
        Frame::CUnit => vec![("Makefile".to_owned(), makefile(names, tests, true))],
        Frame::CTest => vec![script, ("CMakeLists.txt".to_owned(), cmake(names, tests))],
    }
}

/// What is tested may have changed since: everything is compiled anew each time.
fn makefile(names: &[String], tests: &[Numbered<'_>], cunit: bool) -> String {
    let objects: Vec<String> = names.iter().map(|name| format!("{name}.mod.o")).collect();
    let libraries = if cunit { " -lcunit -lm" } else { " -lm" };
    let mut run = String::new();
    if cunit {
        run.push_str("\t./tester\n");
    } else {
        run.push_str("\t@failed=0; \\\n");
        for (number, test) in tests {
            let status = test.expected.status();
            run.push_str(&format!(
                "\techo \"./tester {number}\"; sh ./run_test.sh ./tester {number} {status} || failed=1; \\\n"
            ));
        }
        run.push_str("\texit $$failed\n");
    }
    format!(
        "# Builds and runs the tests. BUILD_FLAGS may hold options of the compiler, such as --coverage; those in BUILD_FLAGS come\n\
         # before those in the files *.flags: -iquote FOLDER names another folder for the program that is tested.\n\
         CC ?= cc\nBUILD_FLAGS ?=\nOBJECTS = tester.o {objects}\n\n\
         tester: $(OBJECTS)\n\t$(CC) $(CPPFLAGS) $(BUILD_FLAGS) @tester.flags -o $@ $(OBJECTS){libraries}\n\n\
         %.o: %.c %.flags FORCE\n\t$(CC) $(CPPFLAGS) $(BUILD_FLAGS) @$*.flags -w -c -o $@ $<\n\n\
         run_tests: tester\n{run}\n\
         clean:\n\trm -f tester $(OBJECTS) *.gcda *.gcno *.gcov test-*.out\n\n\
         FORCE:\n\n.PHONY: run_tests clean FORCE\n",
        objects = objects.join(" "),
    )
}

fn cmake(names: &[String], tests: &[Numbered<'_>]) -> String {
    let parts: Vec<String> = names.iter().map(|name| format!("{name}.mod")).chain(["tester".to_owned()]).collect();
    let files: Vec<String> = parts.iter().map(|part| format!("{part}.c")).collect();
    let mut text = format!(
        "# cmake -B build && cmake --build build && ctest --test-dir build\n\
         cmake_minimum_required(VERSION 3.13)\nproject(tests C)\nenable_testing()\n\
         add_executable(tester {})\ntarget_compile_options(tester PRIVATE -w)\n\
         target_link_options(tester PRIVATE \"@${{CMAKE_SOURCE_DIR}}/tester.flags\")\ntarget_link_libraries(tester m)\n",
        files.join(" ")
    );
    for part in parts {
        text.push_str(&format!(
            "set_source_files_properties({part}.c PROPERTIES COMPILE_OPTIONS \"@${{CMAKE_SOURCE_DIR}}/{part}.flags\")\n"
        ));
    }
    for (number, test) in tests {
        text.push_str(&format!(
            "add_test(NAME test-{number} COMMAND sh ${{CMAKE_SOURCE_DIR}}/run_test.sh $<TARGET_FILE:tester> {number} {})\n",
            test.expected.status()
        ));
    }
    text
}
