//! Other data models: the same program on machines with other widths and another order of bytes.

use c::interp::{Blind, Ending, InputValue, Interpreter, RecordedInputs, Settings};
use c::{DataModel, Options};

const PROGRAM: &str = "void *malloc(unsigned long n); void free(void *p);
struct node { struct node *next; long value; };
struct bits { unsigned a : 3; unsigned b : 5; unsigned short c; };
union view { int i; unsigned char bytes[sizeof(int)]; struct bits bits; };
int sizes(void) { return sizeof(int) * 10000 + sizeof(long) * 1000 + sizeof(void *) * 100 + sizeof(struct node); }
int first_byte(void) { union view v; v.i = 0x0102; return v.bytes[0]; }
int low_bits(void) { union view v; v.i = 0; v.bits.a = 5; return v.bytes[0]; }
int list(void) {
  struct node *head = 0;
  for (int i = 1; i <= 4; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = head; node->value = i * i; head = node;
  }
  long sum = 0;
  while (head) { struct node *gone = head; sum += head->value; head = head->next; free(gone); }
  int (*again)(void) = first_byte;
  return sum + (again() > 0) + ((unsigned long)-1 > 0xffffffffu ? 100 : 0);
}
int plain_char(void) { char c = (char)200; return c; }
int wraps(void) { unsigned u = 65535u; u = u + 1u; return u == 0; }
";

fn run(model: DataModel, function: &str) -> i128 {
    let options = Options { model, ..Options::default() };
    let translation = c::load_text("machine.c", PROGRAM, &options).expect("a program");
    let program = &translation.program;
    let interpreter = Interpreter::new(program, Settings::default());
    let function = program.function_named(function).expect("the function");
    match interpreter.run(function, &mut RecordedInputs::default(), &mut Blind).ending {
        Ending::Returned(Some(InputValue::Integer(value))) => value,
        other => panic!("{other:?}"),
    }
}

#[test]
fn widths_are_those_of_the_model() {
    assert_eq!(run(DataModel::LP64, "sizes"), 48816);
    assert_eq!(run(DataModel::ILP64, "sizes"), 88816);
    assert_eq!(run(DataModel::LLP64, "sizes"), 44816);
    assert_eq!(run(DataModel::ILP32, "sizes"), 44408);
    assert_eq!(run(DataModel::LP32, "sizes"), 24408);
    assert_eq!(run(DataModel::LP32, "wraps"), 1);
    assert_eq!(run(DataModel::LP64, "wraps"), 0);
}

#[test]
fn bytes_stand_in_the_models_order() {
    let big = DataModel { big_endian: true, ..DataModel::LP64 };
    assert_eq!((run(DataModel::LP64, "first_byte"), run(big, "first_byte")), (2, 0));
    assert_eq!((run(DataModel::LP64, "low_bits"), run(big, "low_bits")), (5, 0xa0));
    let unsigned = DataModel { signed_char: false, ..DataModel::LP64 };
    assert_eq!((run(DataModel::LP64, "plain_char"), run(unsigned, "plain_char")), (-56, 200));
}

#[test]
fn pointers_work_whatever_their_width() {
    let big = DataModel { big_endian: true, ..DataModel::ILP32 };
    // On a big-endian machine the first byte of 0x0102 in four bytes is zero.
    assert_eq!(run(DataModel::LP64, "list"), 131);
    assert_eq!(run(DataModel::ILP32, "list"), 31);
    assert_eq!(run(big, "list"), 30);
    assert_eq!(run(DataModel::LLP64, "list"), 31);
}

/// The headers of this system speak of its own machine; what a program is told must be true of the other one.
#[test]
fn headers_speak_of_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("headers.c");
    let text = "#include <stddef.h>\n#include <stdint.h>\n#include <limits.h>\n#include <endian.h>\n\
                long widths(void) { return sizeof(int16_t) * 100000 + sizeof(uint32_t) * 10000 + sizeof(int64_t) * 1000\n\
                  + sizeof(size_t) * 100 + sizeof(uintptr_t) * 10 + sizeof(ptrdiff_t); }\n\
                int limits(void) { int i = INT_MAX; long l = LONG_MAX; return (int)(i + 1u) < 0 && (long)(l + 1ul) < 0; }\n\
                int order(void) { return BYTE_ORDER == BIG_ENDIAN; }\n\
                int character(void) { return CHAR_MIN < 0; }\n";
    std::fs::write(&file, text).expect("it can be written");
    let run = |model: DataModel, function: &str| {
        let options = Options { model, ..Options::default() };
        let translation = c::load(std::slice::from_ref(&file), &options).expect("a program");
        let interpreter = Interpreter::new(&translation.program, Settings::default());
        let function = translation.program.function_named(function).expect("the function");
        match interpreter.run(function, &mut RecordedInputs::default(), &mut Blind).ending {
            Ending::Returned(Some(InputValue::Integer(value))) => value,
            other => panic!("{other:?}"),
        }
    };
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    for (name, widths) in
        [("LP64", 248888), ("LLP64", 248888), ("ILP32", 248444), ("LP32", 248444), ("ppc-macos", 248444)]
    {
        let model = DataModel::named(name).expect("a machine");
        assert_eq!(run(model, "widths"), widths, "{name}");
        assert_eq!(run(model, "limits"), 1, "{name}");
        assert_eq!(run(model, "order"), i128::from(model.big_endian), "{name}");
        assert_eq!(run(DataModel { signed_char: false, ..model }, "character"), 0, "{name}");
    }
    let options = Options { model: DataModel::ILP64, ..Options::default() };
    let findings = c::load(std::slice::from_ref(&file), &options).expect_err("uint32_t is not declared");
    assert!(findings.iter().any(|finding| finding.diagnostic.message.contains("no integer has 32 bits")));
}
