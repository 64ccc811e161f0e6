//! Constants and sorts as text.

use std::fmt::Write;

use value::{IBig, RBig, Sort, UBig, Value};

use super::Names;

/// Writes a sort. Sorts are as shallow as people write them, so this may recurse.
pub(super) fn write_sort(out: &mut String, names: &mut Names, sort: &Sort) {
    match sort {
        Sort::Enum(sort) => out.push_str(&names.enumeration(sort).name),
        Sort::Array(parts) => {
            out.push_str("(Array ");
            write_sort(out, names, &parts.0);
            out.push(' ');
            write_sort(out, names, &parts.1);
            out.push(')');
        }
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => append(out, format_args!("{sort}")),
    }
}

/// Writes a constant; arrays as stores into a constant array.
pub(super) fn write_value(out: &mut String, names: &mut Names, value: &Value) {
    match value {
        Value::Bool(truth) => append(out, format_args!("{truth}")),
        Value::Int(number) => write_integer(out, number, ""),
        Value::Real(number) => write_real(out, number),
        Value::BitVec(bits) => append(out, format_args!("{bits}")),
        Value::Enum(variant) => out.push_str(&names.enumeration(&variant.sort).variants[variant.index as usize]),
        Value::Array(array) => {
            array.entries().iter().for_each(|_| out.push_str("(store "));
            out.push_str("((as const ");
            write_sort(out, names, &value.sort());
            out.push_str(") ");
            write_value(out, names, array.default());
            out.push(')');
            for (index, element) in array.entries() {
                out.push(' ');
                write_value(out, names, index);
                out.push(' ');
                write_value(out, names, element);
                out.push(')');
            }
        }
    }
}

fn write_integer(out: &mut String, number: &IBig, point: &str) {
    if *number < IBig::ZERO {
        append(out, format_args!("(- {}{point})", -number));
    } else {
        append(out, format_args!("{number}{point}"));
    }
}

fn write_real(out: &mut String, number: &RBig) {
    if *number.denominator() == UBig::ONE {
        return write_integer(out, number.numerator(), ".0");
    }
    if *number < RBig::ZERO {
        out.push_str("(- ");
        write_real(out, &-number);
        out.push(')');
    } else {
        append(out, format_args!("(/ {}.0 {}.0)", number.numerator(), number.denominator()));
    }
}

pub(super) fn append(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string cannot fail");
}
