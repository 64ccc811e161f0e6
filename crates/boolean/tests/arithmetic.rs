//! The interpreter's arithmetic against the machine's.

use boolean::interp::run;
use boolean::{Dialect, Spec, load};
use proptest::prelude::*;
use source::Source;
use value::{BitVec, IBig, RBig, UBig, Value};

/// A specification that asks whether an expression over `x` and `y` equals `z`.
fn asks(sorts: &str, expression: &str, result: &str) -> Spec {
    let text = format!("input x, y: {sorts}; input z: {result}; decision d = {expression} == z;");
    load(&Source::new("ask.bool", text), Dialect::Bool).expect("well formed").0
}

fn check(spec: &Spec, x: Value, y: Value, z: Value) {
    assert!(run(spec, 0, &[x.clone(), y.clone(), z.clone()]).outcome, "of {x} and {y} is not {z}");
}

fn byte(bits: u8) -> Value {
    Value::BitVec(BitVec::new(8, UBig::from(bits)))
}

type Bytes = fn(u8, u8) -> u8;

const ON_BYTES: &[(&str, Bytes)] = &[
    ("x + y", |x, y| x.wrapping_add(y)),
    ("x - y", |x, y| x.wrapping_sub(y)),
    ("x * y", |x, y| x.wrapping_mul(y)),
    ("x div y", |x, y| x.checked_div(y).unwrap_or(255)),
    ("x mod y", |x, y| x.checked_rem(y).unwrap_or(x)),
    ("(x & y)", |x, y| x & y),
    ("(x | y)", |x, y| x | y),
    ("(x ^ y)", |x, y| x ^ y),
    ("~x", |x, _| !x),
    ("-x", |x, _| x.wrapping_neg()),
    ("bvnand(x, y)", |x, y| !(x & y)),
    ("bvnor(x, y)", |x, y| !(x | y)),
    ("bvxnor(x, y)", |x, y| !(x ^ y)),
    ("x << y", |x, y| x.checked_shl(y.into()).unwrap_or(0)),
    ("x >> y", |x, y| x.checked_shr(y.into()).unwrap_or(0)),
    ("bvashr(x, y)", |x, y| ((x as i8) >> y.min(7)) as u8),
    ("bvsdiv(x, y)", |x, y| match y {
        0 if (x as i8) < 0 => 1,
        0 => 255,
        _ => (x as i8).wrapping_div(y as i8) as u8,
    }),
    ("bvsrem(x, y)", |x, y| if y == 0 { x } else { (x as i8).wrapping_rem(y as i8) as u8 }),
    ("bvsmod(x, y)", |x, y| {
        if y == 0 {
            return x;
        }
        let rest = i16::from(x as i8) % i16::from(y as i8);
        let mixed = rest != 0 && (rest < 0) != ((y as i8) < 0);
        (if mixed { rest + i16::from(y as i8) } else { rest }) as u8
    }),
    ("rotate_left(3, x)", |x, _| x.rotate_left(3)),
    ("rotate_right(11, x)", |x, _| x.rotate_right(3)),
    ("extract(11, 4, concat(x, y))", |x, y| (x << 4) | (y >> 4)),
    ("extract(10, 3, sign_extend(8, x))", |x, _| (i16::from(x as i8) >> 3) as u8),
    ("extract(10, 3, zero_extend(8, x))", |x, _| x >> 3),
    ("extract(9, 2, repeat(2, x))", |x, _| x.rotate_right(2)),
    ("int2bv(8, bv2nat(x) - 300)", |x, _| (i32::from(x) - 300) as u8),
    ("ite(bvslt(x, y), x, y)", |x, y| (x as i8).min(y as i8) as u8),
    ("max(x, y)", |x, y| x.max(y)),
    ("ite(x < y, x, ite(bvcomp(x, y) == 1, 0, y))", |x, y| if x == y { 0 } else { x.min(y) }),
];

type Integers = fn(i64, i64) -> i64;

const ON_INTEGERS: &[(&str, Integers)] = &[
    ("x + y", |x, y| x + y),
    ("x - y", |x, y| x - y),
    ("x * y", |x, y| x * y),
    ("x div y", |x, y| if y == 0 { 0 } else { x.div_euclid(y) }),
    ("x mod y", |x, y| if y == 0 { x } else { x.rem_euclid(y) }),
    ("abs(x)", |x, _| x.abs()),
    ("-x", |x, _| -x),
    ("min(x, y, 3)", |x, y| x.min(y).min(3)),
    ("to_int(x / 3.0)", |x, _| x.div_euclid(3)),
    ("ite(divisible(3, x), 1, 0)", |x, _| i64::from(x % 3 == 0)),
    ("ite(is_int(x / 4.0), x, y)", |x, y| if x % 4 == 0 { x } else { y }),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn bytes_follow_the_machine(x in any::<u8>(), y in prop_oneof![any::<u8>(), Just(0), 0u8..10]) {
        for (expression, expected) in ON_BYTES {
            check(&asks("u8", expression, "u8"), byte(x), byte(y), byte(expected(x, y)));
        }
    }

    #[test]
    fn integers_follow_the_machine(x in -1000i64..1000, y in -20i64..20) {
        for (expression, expected) in ON_INTEGERS {
            check(&asks("int", expression, "int"), Value::int(x), Value::int(y), Value::int(expected(x, y)));
        }
    }

    #[test]
    fn reals_are_exact_fractions(x in -50i64..50, y in -50i64..50, denominator in 1u64..20) {
        let real = |numerator: i64, denominator: u64| Value::Real(RBig::from_parts(IBig::from(numerator), UBig::from(denominator)));
        let (left, right) = (real(x, denominator), real(y, denominator));
        let denominators = denominator * denominator;
        check(&asks("real", "x + y", "real"), left.clone(), right.clone(), real(x + y, denominator));
        check(&asks("real", "x * y", "real"), left.clone(), right.clone(), real(x * y, denominators));
        check(&asks("real", "abs(x) + max(y, x)", "real"), left.clone(), right.clone(), real(x.abs() + y.max(x), denominator));
        let quotient = if y == 0 { real(0, 1) } else { real(x * y.signum(), y.unsigned_abs()) };
        check(&asks("real", "x / y", "real"), left, right, quotient);
    }
}
