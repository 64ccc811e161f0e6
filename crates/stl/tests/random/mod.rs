//! Random formulas as text, from a seed.

/// A stream of numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A formula with operators nested up to `depth` deep, none of which looks back.
    #[allow(dead_code, reason = "not every test that draws formulas needs these")]
    pub(crate) fn ahead(&mut self, depth: u64) -> String {
        loop {
            let formula = self.formula(depth);
            if !formula.contains(['O', 'H', 'S']) {
                return formula;
            }
        }
    }

    /// How the signals go on between samples, as a file says it: mostly nothing.
    #[allow(dead_code, reason = "not every test that draws formulas needs these")]
    pub(crate) fn shapes(&mut self) -> String {
        ["", "", "step x;\n", "step x, y;\n", "enum m = {u, v, w};\n", "step y; enum m = {u, v, w};\n"]
            [self.below(6) as usize]
            .to_owned()
    }

    /// A file: the shapes of signals, and a formula in which an enumeration stands for some propositions where there is one.
    #[allow(dead_code, reason = "not every test that draws formulas needs these")]
    pub(crate) fn file(&mut self, depth: u64) -> String {
        let shapes = self.shapes();
        let mut formula = self.formula(depth);
        if shapes.contains("enum") {
            for (place, value) in
                ["x == 0", "x != 1", "x > 1", "y < 1"].into_iter().zip(["== u", "!= v", "== w", "!= u"])
            {
                formula = formula.replace(place, &format!("m {value}"));
            }
        }
        format!("{shapes}{formula}")
    }

    /// A formula with operators nested up to `depth` deep.
    pub(crate) fn formula(&mut self, depth: u64) -> String {
        if depth == 0 || self.below(5) == 0 {
            return self.proposition();
        }
        match self.below(12) {
            9 => format!("O{} ({})", self.past(), self.formula(depth - 1)),
            10 => format!("H{} ({})", self.past(), self.formula(depth - 1)),
            11 => format!("(({}) S{} ({}))", self.formula(depth - 1), self.past(), self.formula(depth - 1)),
            0 => format!("!({})", self.formula(depth - 1)),
            1 => format!("(({}) & ({}))", self.formula(depth - 1), self.formula(depth - 1)),
            2 => format!("(({}) | ({}))", self.formula(depth - 1), self.formula(depth - 1)),
            3 => format!("(({}) -> ({}))", self.formula(depth - 1), self.formula(depth - 1)),
            4 => format!("N[{}] ({})", self.below(3), self.formula(depth - 1)),
            5 => format!("F{} ({})", self.window(), self.formula(depth - 1)),
            6 => format!("G{} ({})", self.window(), self.formula(depth - 1)),
            7 => format!("(({}) U{} ({}))", self.formula(depth - 1), self.window(), self.formula(depth - 1)),
            _ => format!("(({}) R{} ({}))", self.formula(depth - 1), self.window(), self.formula(depth - 1)),
        }
    }

    fn proposition(&mut self) -> String {
        let relation = ["<", "<=", ">", ">=", "==", "!="][self.below(6) as usize];
        match self.below(5) {
            0 => "a".into(),
            1 => "b".into(),
            2 => format!("y {relation} {}", self.below(2)),
            _ => format!("x {relation} {}", self.below(3)),
        }
    }

    /// A window of an operator that looks back: it need not end.
    fn past(&mut self) -> String {
        match self.below(4) {
            0 => String::new(),
            1 => format!("[{},inf]", self.below(3)),
            _ => self.window(),
        }
    }

    fn window(&mut self) -> String {
        let lower = self.below(3);
        format!("[{lower},{}]", lower + self.below(3))
    }
}
