//! Time units.

use std::fmt;

use dashu_int::IBig;

macro_rules! units {
    ($($variant:ident $name:literal $factor:literal;)*) => {
        /// A unit of time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum TimeUnit {
            $(#[doc = $name] $variant,)*
        }

        impl TimeUnit {
            /// Every unit, the smallest first.
            pub const ALL: &'static [TimeUnit] = &[$(TimeUnit::$variant,)*];

            /// The name in specifications.
            pub fn name(self) -> &'static str {
                match self { $(TimeUnit::$variant => $name,)* }
            }

            /// How many of the next smaller unit it is.
            fn step(self) -> u32 {
                match self { $(TimeUnit::$variant => $factor,)* }
            }
        }
    };
}

units! {
    Femtosecond "fs" 1;
    Picosecond "ps" 1000;
    Nanosecond "ns" 1000;
    Microsecond "us" 1000;
    Millisecond "ms" 1000;
    Second "s" 1000;
    Minute "min" 60;
    Hour "h" 60;
    Day "d" 24;
}

impl TimeUnit {
    /// The unit with this name.
    pub fn from_name(name: &str) -> Option<TimeUnit> {
        let plain = if name == "µs" || name == "μs" { "us" } else { name };
        TimeUnit::ALL.iter().copied().find(|unit| unit.name() == plain)
    }

    /// How many of a smaller or equal unit it is.
    pub fn in_units_of(self, smaller: TimeUnit) -> Option<IBig> {
        let between = TimeUnit::ALL.iter().filter(|unit| smaller < **unit && **unit <= self);
        (smaller <= self).then(|| between.map(|unit| IBig::from(unit.step())).product())
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_units_are_multiples_of_smaller_ones() {
        let of = |larger: &str, smaller: &str| {
            TimeUnit::from_name(larger).expect("a unit").in_units_of(TimeUnit::from_name(smaller).expect("a unit"))
        };
        assert_eq!(of("d", "min"), Some(IBig::from(1440)));
        assert_eq!(of("µs", "ns"), Some(IBig::from(1000)));
        assert_eq!(of("s", "s"), Some(IBig::from(1)));
        assert_eq!(of("s", "min"), None);
    }
}
