//! Programs made by rule, to see how the cost grows with their length: a driver of devices, each with its own states, checks and
//! commands, as the drivers of the thesis' evaluation are many small functions over shared state.

use std::fmt::Write;

use fql::program::Blocks;

use super::plot::{Series, plot};
use super::{Task, draw, most_memory};
use crate::table::{Table, seconds};

/// Lengths in devices; one is about 57 lines.
const DEVICES: &[u32] = &[18, 70, 140, 280];

pub(crate) fn growth() -> Table {
    let mut table = Table::new("Growth with the program: basic blocks", &["goals", "tests", "time", "memory"]);
    let mut points = Vec::new();
    for &devices in DEVICES {
        let text = driver(devices);
        let lines = text.lines().count();
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("driver.c");
        std::fs::write(&file, text).expect("written");
        let task = Task {
            file,
            query: "block".into(),
            unwind: None,
            blocks: Blocks::Strict,
            assertions: false,
            hybrid: true,
            limit: 300,
        };
        let found = draw(&task);
        let memory = format!("{} MB", most_memory());
        table
            .row(format!("{lines} lines"), vec![found.summary(), found.tests.to_string(), seconds(found.time), memory]);
        points.push((lines as f64, found.time.as_secs_f64()));
        eprintln!("{lines} lines: {} by {} tests in {}", found.summary(), found.tests, seconds(found.time));
    }
    plot("growth-lines", "the lines of the program", &[Series { name: "basic blocks", points }]);
    table
}

/// Numbers that look irregular and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

pub(crate) fn driver(devices: u32) -> String {
    let mut numbers = Numbers(7);
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\n\
         struct device {\n    int state;\n    unsigned mask;\n    int level;\n    int errors;\n};\n\n",
    );
    let _ = writeln!(text, "static struct device devices[{devices}];\nstatic int pending;\n");
    for device in 0..devices {
        write_device(&mut text, &mut numbers, device);
    }
    text.push_str(
        "int main(void)\n{\n    int request = __VERIFIER_nondet_int();\n    int argument = __VERIFIER_nondet_int();\n",
    );
    text.push_str("    switch (request) {\n");
    for device in 0..devices {
        let _ = writeln!(text, "    case {}:\n        return dispatch_{device}(argument);", device * 3 + 1);
    }
    text.push_str("    default:\n        return -1;\n    }\n}\n");
    text
}

fn write_device(text: &mut String, numbers: &mut Numbers, device: u32) {
    let (limit, mask) = (numbers.below(900) + 50, numbers.below(250) + 5);
    let (command, secret) = (numbers.below(60), numbers.below(100_000));
    let _ = write!(
        text,
        "static int check_{device}(int argument)
{{
    struct device *device = &devices[{device}];
    if (argument < 0) {{
        device->errors++;
        return 0;
    }}
    if ({limit} < argument) {{
        device->level = {limit};
        pending |= 1;
    }} else {{
        device->level = argument;
    }}
    if ((argument & {mask}) == {mask})
        device->mask = {mask};
    return 1;
}}

static int command_{device}(int code, int argument)
{{
    struct device *device = &devices[{device}];
    switch (code) {{
    case {command}:
        device->state = 1;
        break;
    case {}:
        if (device->state != 0)
            return 1;
        device->state = 2;
        break;
    case {}:
        if (argument == {secret}) {{
            device->state = 3;
            pending = 0;
        }}
        break;
    default:
        device->errors++;
        return -1;
    }}
    return 0;
}}

static int dispatch_{device}(int argument)
{{
    int code = __VERIFIER_nondet_uchar();
    if (!check_{device}(argument))
        return -2;
    int result = command_{device}(code, argument);
    if (result == 0 && devices[{device}].level == {limit} && devices[{device}].state == 1)
        return {device};
    if (devices[{device}].errors && pending)
        return -3;
    return result;
}}

",
        command + 1,
        command + 2,
    );
}
