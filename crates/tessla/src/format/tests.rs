//! Formats by example, and all of them against the Java platform where it is installed.

use std::fmt::Write as _;
use std::process::Command;

use dashu_int::IBig;

use super::*;

#[test]
fn formats() {
    let check = |format: &str, value: &Value, text: &str| assert_eq!(format_value(format, value).as_deref(), Ok(text));
    check("%+.10f", &Value::Float(0.0), "+0.0000000000");
    check("%8.3f|", &Value::Float(-1.5), "  -1.500|");
    check("%08d", &Value::Int(-42), "-0000042");
    check("%,d", &Value::Int(1_234_567), "1,234,567");
    check("%#x", &Value::Int(255), "0xff");
    check("%#05x", &Value::Int(5), "0x005");
    check("%+X", &Value::Int(255), "+FF");
    check("%-5s|", &Value::string("ab"), "ab   |");
    check("%.2e", &Value::Float(12345.678), "1.23e+04");
    check("%g", &Value::Float(12.5), "12.5000");
    check("%g", &Value::Float(-0.5), "-0.500000");
    check("%.1f", &Value::Float(0.25), "0.3");
    check("%.2f", &Value::Float(1.005), "1.01");
    check("%.0f", &Value::Float(0.5), "1");
    check("%.0f", &Value::Float(-99.5), "-100");
    check("%.3f", &Value::Float(1e-7), "0.000");
    check("%.1f", &Value::Float(1e21), "1000000000000000000000.0");
    check("%.1e", &Value::Float(9.96), "1.0e+01");
    check("%e", &Value::Float(0.0), "0.000000e+00");
    check("%a", &Value::Float(3.0), "0x1.8p1");
    check("%a", &Value::Float(-0.1), "-0x1.999999999999ap-4");
    check("%.2a", &Value::Float(0.1), "0x1.9ap-4");
    check("%a", &Value::Float(0.0), "0x0.0p0");
    check("%s and %<d, %1$x", &Value::Int(12), "12 and 12, c");
    assert!(format_value("%d", &Value::Float(1.0)).is_err());
    assert!(format_value("%-d", &Value::Int(1)).is_err());
    assert!(format_value("%s %s", &Value::Int(1)).is_err());
}

/// Values with the way Java writes them.
fn values() -> Vec<(Value, String)> {
    let mut values = Vec::new();
    for number in
        ["0", "5", "-5", "255", "-255", "1234567", "-1234567", "9223372036854775808", "-340282366920938463463"]
    {
        let parsed = number.parse::<IBig>().expect("a number");
        values.push((Value::integer(parsed), format!("new java.math.BigInteger(\"{number}\")")));
    }
    let floats: [f64; 25] = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        0.1,
        1.0,
        -1.5,
        9.5,
        99.95,
        999999.5,
        0.0001,
        0.00009999995,
        12345.678,
        -12345.678,
        1e7,
        1e21,
        1.005,
        2.5e-7,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        1.9999999,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    for number in floats {
        values.push((Value::Float(number), format!("Double.longBitsToDouble({}L)", number.to_bits() as i64)));
    }
    values.push((Value::Bool(true), "Boolean.TRUE".into()));
    values.push((Value::Bool(false), "Boolean.FALSE".into()));
    values.push((Value::string(""), "\"\"".into()));
    values.push((Value::string("aBc d"), "\"aBc d\"".into()));
    values
}

/// Every set of flags of up to three different ones and every repeated one, with widths, precisions and letters.
fn specifiers() -> Vec<String> {
    let flags = ["-", "#", "+", " ", "0", ",", "("];
    let mut sets: Vec<String> = vec![String::new(), "++".into(), "--".into()];
    for (first, one) in flags.iter().enumerate() {
        sets.push((*one).into());
        for (second, two) in flags.iter().enumerate().skip(first + 1) {
            sets.push(format!("{one}{two}"));
            sets.extend(flags.iter().skip(second + 1).map(|three| format!("{one}{two}{three}")));
        }
    }
    let mut found = Vec::new();
    for set in &sets {
        for size in ["", "1", "12", ".0", ".3", "20.1", "9.15", "3."] {
            for letter in "bBhHsScCdoxXeEfgGaADOF%ntTq".chars() {
                found.push(format!("%{set}{size}{letter}"));
            }
        }
    }
    found
}

/// A program that prints, for each value and each line of its input, what the platform makes of them.
fn program(values: &[(Value, String)]) -> String {
    let mut text = "import java.util.*;\npublic class Formats {\n  public static void main(String[] arguments) {\n    \
                    Locale.setDefault(Locale.ENGLISH);\n    Object[] values = {\n"
        .to_owned();
    values.iter().for_each(|(_, written)| {
        let _ = writeln!(text, "      {written},");
    });
    text += "    };\n    StringBuilder out = new StringBuilder();\n    \
             List<String> lines = new Scanner(System.in, \"UTF-8\").useDelimiter(\"\\n\").tokens().toList();\n    \
             for (Object value : values) for (String format : lines) {\n      \
             try { out.append(\"=\" + String.format(format, value).replace(\"\\n\", \"\\\\n\")); }\n      \
             catch (IllegalFormatException problem) { out.append('!'); }\n      out.append('\\n');\n    }\n    \
             System.out.print(out);\n  }\n}\n";
    text
}

#[test]
fn formats_are_those_of_the_java_platform() {
    let (values, specifiers) = (values(), specifiers());
    let folder = std::env::temp_dir().join(format!("specimen-formats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the program");
    let (source, input) = (folder.join("Formats.java"), folder.join("formats.txt"));
    std::fs::write(&source, program(&values)).expect("the program is written");
    std::fs::write(&input, specifiers.join("\n")).expect("the formats are written");
    let run = Command::new("java").arg(&source).stdin(std::fs::File::open(&input).expect("the formats")).output();
    let ran = match run {
        Ok(ran) if ran.status.success() => ran,
        Ok(_) | Err(_) => {
            eprintln!("java is not installed: formats are not compared");
            return;
        }
    };
    let _ = std::fs::remove_dir_all(&folder);
    let output = String::from_utf8(ran.stdout).expect("the platform writes UTF-8");
    let mut lines = output.lines();
    let mut different = Vec::new();
    for (value, _) in &values {
        for format in &specifiers {
            let expected = lines.next().expect("a line for each format");
            let found = match format_value(format, value) {
                Ok(text) => format!("={}", text.replace('\n', "\\n")),
                Err(_) => "!".to_owned(),
            };
            if found != expected {
                different.push(format!("{format} of {}: {found:?}, not {expected:?}", Shown(value)));
            }
        }
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different[..different.len().min(60)].join("\n"));
}
