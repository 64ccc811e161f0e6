//! What a proposition says about a variable of a value change dump: a bit (`busy`, `addr[2]`), or a comparison of some bits as a number
//! without sign (`addr[3:0] == 4`, `state != 8'hff`).

/// What is asked of the bits of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DumpAtom {
    /// The variable, as it is written.
    pub(super) name: String,
    /// The first and the last of some bits, as they are written.
    pub(super) select: Option<(i64, i64)>,
    /// What they are compared with.
    pub(super) test: Option<(Relation, Number)>,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// The bits of a number, the highest first and none of the leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number(Vec<bool>);

/// The relations as they are written; longer ones come first.
const RELATIONS: [(&str, Relation); 7] = [
    ("==", Relation::Equal),
    ("!=", Relation::Unequal),
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("<", Relation::Less),
    (">", Relation::Greater),
    ("=", Relation::Equal),
];

impl DumpAtom {
    /// Reads a proposition that is not the name of a variable.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(text: &str) -> Result<DumpAtom, String> {
        let found = RELATIONS.iter().find_map(|(sign, relation)| {
            let (left, right) = text.split_once(sign)?;
            Some((left.trim(), Some((*relation, right.trim()))))
        });
        let (left, test) = found.unwrap_or((text.trim(), None));
        let test = match test {
            Some((relation, right)) => {
                let number = Number::parse(right).ok_or_else(|| format!("`{right}` is not a number of a dump"))?;
                Some((relation, number))
            }
            None => None,
        };
        let range = left.strip_suffix(']').and_then(|open| open.rsplit_once('['));
        let (name, select) = match range {
            Some((name, range)) => {
                let (first, last) = range.split_once(':').unwrap_or((range, range));
                let bit = |text: &str| text.trim().parse::<i64>().ok();
                let (Some(first), Some(last)) = (bit(first), bit(last)) else {
                    return Err(format!("`[{range}]` is not a range of bits"));
                };
                (name.trim(), Some((first, last)))
            }
            None => (left, None),
        };
        Ok(DumpAtom { name: name.to_owned(), select, test })
    }
}

impl Number {
    /// Reads `12`, `0x1f`, `0b101`, or as in Verilog `4'd12`, `'hff`, `3'b101`.
    fn parse(text: &str) -> Option<Number> {
        let plain: String = text.chars().filter(|letter| *letter != '_').collect::<String>().to_ascii_lowercase();
        let (digits, radix) = if let Some(digits) = plain.strip_prefix("0x") {
            (digits, 16)
        } else if let Some(digits) = plain.strip_prefix("0b") {
            (digits, 2)
        } else if let Some((width, rest)) = plain.split_once('\'') {
            if !width.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let radix = match rest.chars().next()? {
                'b' => 2,
                'o' => 8,
                'd' => 10,
                'h' => 16,
                _ => return None,
            };
            (&rest[1..], radix)
        } else {
            (plain.as_str(), 10)
        };
        if digits.starts_with('+') {
            return None;
        }
        let value = u128::from_str_radix(digits, radix).ok()?;
        Some(Number((0..u128::BITS - value.leading_zeros()).rev().map(|bit| value >> bit & 1 == 1).collect()))
    }

    /// Whether bits, the highest first, are in a relation to this number; none if that depends on bits that are unknown.
    pub(super) fn compared(&self, bits: &[Option<bool>], relation: Relation) -> Option<bool> {
        use std::cmp::Ordering;
        let width = bits.len().max(self.0.len());
        let padding = width - bits.len();
        let own = |place: usize| place.checked_sub(width - self.0.len()).is_some_and(|place| self.0[place]);
        let theirs = |place: usize| place.checked_sub(padding).map_or(Some(false), |place| bits[place]);
        let mut order = Some(Ordering::Equal);
        for place in 0..width {
            match theirs(place) {
                Some(bit) if bit == own(place) => {}
                // Bits that differ decide the order unless one above them is unknown, and equality in any case.
                Some(bit) if order.is_some() => {
                    order = Some(bit.cmp(&own(place)));
                    break;
                }
                Some(_) if matches!(relation, Relation::Equal | Relation::Unequal) => {
                    return Some(relation == Relation::Unequal);
                }
                Some(_) => {}
                None => order = None,
            }
        }
        let order = order?;
        Some(match relation {
            Relation::Equal => order.is_eq(),
            Relation::Unequal => order.is_ne(),
            Relation::Less => order.is_lt(),
            Relation::AtMost => order.is_le(),
            Relation::Greater => order.is_gt(),
            Relation::AtLeast => order.is_ge(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn propositions_are_read() {
        let show = |text: &str| match DumpAtom::parse(text) {
            Ok(DumpAtom { name, select, test }) => {
                format!("{name} {select:?} {:?}", test.map(|(relation, number)| (relation, number.0.len())))
            }
            Err(error) => error,
        };
        let cases = [
            ("busy", "busy None None"),
            ("addr[3:0] == 4", "addr Some((3, 0)) Some((Equal, 3))"),
            ("top.cpu.state!=8'hff", "top.cpu.state None Some((Unequal, 8))"),
            ("a[2]", "a Some((2, 2)) None"),
            ("a <= 0x1_0", "a None Some((AtMost, 5))"),
            ("a = 0", "a None Some((Equal, 0))"),
            ("a < x", "`x` is not a number of a dump"),
            ("a[b]", "`[b]` is not a range of bits"),
            ("a == 'q1", "`'q1` is not a number of a dump"),
        ];
        for (text, expected) in cases {
            assert_eq!(show(text), expected, "{text}");
        }
    }

    /// Every comparison of four bits, some of them unknown, with every number: known exactly where all values agree.
    #[test]
    fn comparisons_are_known_where_unknown_bits_do_not_matter() {
        let relations = RELATIONS.map(|(_, relation)| relation);
        for code in 0..81_u32 {
            let bits: Vec<Option<bool>> =
                (0..4).map(|place| [Some(false), Some(true), None][(code / 3_u32.pow(place) % 3) as usize]).collect();
            let values: Vec<u32> = (0..16_u32)
                .filter(|value| {
                    (0..4).all(|place| bits[place].is_none_or(|bit| bit == (value >> (3 - place) & 1 == 1)))
                })
                .collect();
            for number in 0..20_u32 {
                let known = Number::parse(&number.to_string()).expect("a number");
                for relation in relations {
                    let holds = |value: &u32| match relation {
                        Relation::Equal => *value == number,
                        Relation::Unequal => *value != number,
                        Relation::Less => *value < number,
                        Relation::AtMost => *value <= number,
                        Relation::Greater => *value > number,
                        Relation::AtLeast => *value >= number,
                    };
                    let all = values.iter().all(holds);
                    let none = !values.iter().any(holds);
                    match known.compared(&bits, relation) {
                        Some(true) => assert!(all, "{bits:?} {relation:?} {number}"),
                        Some(false) => assert!(none, "{bits:?} {relation:?} {number}"),
                        None => assert!(bits.contains(&None), "{bits:?} {relation:?} {number}"),
                    }
                    if matches!(relation, Relation::Equal | Relation::Unequal) {
                        assert_eq!(
                            known.compared(&bits, relation).is_some(),
                            all || none,
                            "{bits:?} {relation:?} {number}"
                        );
                    }
                }
            }
        }
    }
}
