//! One format specifier: `%`, flags, width, precision and a letter.

/// Wider fields and longer fractions are refused.
const WIDEST: usize = 10_000;

/// What a specifier asks for.
#[derive(Clone, Debug)]
pub(super) struct Specifier {
    flags: String,
    pub(super) width: Option<usize>,
    pub(super) precision: Option<usize>,
    /// The conversion, in lower case.
    pub(super) letter: char,
    /// Whether it was written in upper case: then the text is.
    pub(super) upper: bool,
    /// The number of the value, where one is named.
    index: Option<usize>,
}

impl Specifier {
    /// Reads what follows a `%`; the rest of the text comes second.
    pub(super) fn read(text: &str) -> Result<(Specifier, &str), String> {
        let (index, rest) = match digits(text) {
            (number, rest) if !number.is_empty() && rest.starts_with('$') => (Some(limited(number)?), &rest[1..]),
            _ => (None, text),
        };
        if index.is_some_and(|index| index != 1) {
            return Err("there is one value only".into());
        }
        let flags_end = rest.find(|flag: char| !"-#+ 0,(<".contains(flag)).unwrap_or(rest.len());
        let (flags, rest) = rest.split_at(flags_end);
        let (width, rest) = digits(rest);
        let (precision, rest) = match rest.strip_prefix('.').map(digits) {
            Some((number, after)) if !number.is_empty() => (Some(limited(number)?), after),
            Some(_) => return Err("a precision is missing".into()),
            None => (None, rest),
        };
        let written = rest.chars().next().ok_or("its letter is missing")?;
        let upper = "BHSXEGA".contains(written);
        let letter = if upper { written.to_ascii_lowercase() } else { written };
        if !"bhsdoxefga%n".contains(letter) {
            return Err(format!("unknown conversion {written} for values"));
        }
        if let Some(twice) = flags.chars().enumerate().find(|(at, flag)| flags[..*at].contains(*flag)) {
            return Err(format!("the flag {} is there twice", twice.1));
        }
        let width = if width.is_empty() { None } else { Some(limited(width)?) };
        let specifier = Specifier { flags: flags.to_owned(), width, precision, letter, upper, index };
        Ok((specifier, &rest[written.len_utf8()..]))
    }

    pub(super) fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// Whether it takes the next value.
    pub(super) fn takes_next(&self) -> bool {
        !matches!(self.letter, '%' | 'n') && self.index.is_none() && !self.has('<')
    }

    /// Whether it takes the value of the one before.
    pub(super) fn takes_same(&self) -> bool {
        !matches!(self.letter, '%' | 'n') && self.has('<')
    }

    fn refuse(&self, flags: &str) -> Result<(), String> {
        match flags.chars().find(|flag| self.has(*flag)) {
            Some(flag) => Err(format!("the flag {flag:?} is not for this conversion")),
            None => Ok(()),
        }
    }

    fn check_width(&self, flags: &str) -> Result<(), String> {
        match flags.chars().find(|flag| self.has(*flag)) {
            Some(flag) if self.width.is_none() => Err(format!("the flag {flag:?} needs a width")),
            Some(_) | None => Ok(()),
        }
    }

    pub(super) fn check_percent(&self) -> Result<(), String> {
        self.check_no_precision()?;
        self.refuse("#+ 0,(<")?;
        self.check_width("-")
    }

    pub(super) fn check_newline(&self) -> Result<(), String> {
        self.check_no_precision()?;
        self.refuse("-#+ 0,(<")?;
        if self.width.is_some() { Err("a new line has no width".into()) } else { Ok(()) }
    }

    pub(super) fn check_general(&self) -> Result<(), String> {
        self.refuse("#+ 0,(")?;
        self.check_width("-")
    }

    pub(super) fn check_integer(&self) -> Result<(), String> {
        self.check_number()?;
        self.check_no_precision()?;
        self.refuse(if self.letter == 'd' { "#" } else { "," })
    }

    pub(super) fn check_float(&self) -> Result<(), String> {
        self.check_number()?;
        match self.letter {
            'a' => self.refuse("(,"),
            'e' => self.refuse(","),
            'g' => self.refuse("#"),
            _ => Ok(()),
        }
    }

    fn check_number(&self) -> Result<(), String> {
        self.check_width("-0")?;
        let both = |one, other| self.has(one) && self.has(other);
        if both('+', ' ') || both('-', '0') { Err("two flags exclude each other".into()) } else { Ok(()) }
    }

    fn check_no_precision(&self) -> Result<(), String> {
        if self.precision.is_some() { Err("this conversion has no precision".into()) } else { Ok(()) }
    }

    /// What comes before a number.
    pub(super) fn leading_sign(&self, negative: bool) -> String {
        let sign = match negative {
            true if self.has('(') => "(",
            true => "-",
            false if self.has('+') => "+",
            false if self.has(' ') => " ",
            false => "",
        };
        sign.to_owned()
    }

    /// What comes after a number.
    pub(super) fn trailing_sign(&self, negative: bool) -> &'static str {
        if negative && self.has('(') { ")" } else { "" }
    }

    /// The width without a closing bracket.
    pub(super) fn width_inside(&self, negative: bool) -> Option<usize> {
        self.width.map(|width| width.saturating_sub(usize::from(negative && self.has('('))))
    }

    /// Adds digits, in groups where asked for, with zeros before them up to a width.
    pub(super) fn magnitude(&self, text: &mut String, digits: &str, width: Option<usize>) {
        let begin = text.len();
        let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
        for (index, digit) in whole.chars().enumerate() {
            if self.has(',') && index > 0 && (whole.len() - index) % 3 == 0 {
                text.push(',');
            }
            text.push(digit);
        }
        text.push_str(fraction);
        if self.has('0') {
            let missing = width.unwrap_or(0).saturating_sub(text.len());
            text.insert_str(begin, &"0".repeat(missing));
        }
    }

    /// A text cut to the precision.
    pub(super) fn general(&self, text: String) -> String {
        let mut text = text;
        if let Some(length) = self.precision {
            let mut units = 0;
            text = text
                .chars()
                .take_while(|letter| {
                    units += letter.len_utf16();
                    units <= length
                })
                .collect();
        }
        self.justified(if self.upper { text.to_uppercase() } else { text })
    }

    /// A text with blanks up to the width, which counts as the platform counts: in units of UTF-16.
    pub(super) fn justified(&self, text: String) -> String {
        let missing = self.width.unwrap_or(0).saturating_sub(text.encode_utf16().count());
        let blanks = " ".repeat(missing);
        if self.has('-') { format!("{text}{blanks}") } else { format!("{blanks}{text}") }
    }
}

/// The digits at the start, and the rest.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(text.len()))
}

fn limited(number: &str) -> Result<usize, String> {
    let number = number.parse().ok().filter(|number| *number <= WIDEST);
    number.ok_or_else(|| format!("widths and precisions beyond {WIDEST} are not supported"))
}
