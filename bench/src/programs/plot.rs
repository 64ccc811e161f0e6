//! Pictures of growth: seconds over a number, both by powers of ten.

use std::fmt::Write;

/// The size of a picture and the room around the lines.
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
const MARGIN: f64 = 56.0;

/// Times below a hundredth of a second are not told apart.
const LEAST: f64 = 0.01;

const COLOURS: &[&str] = &["#1b6ca8", "#b3541e"];

/// Measured points with a name.
pub(crate) struct Series {
    pub(crate) name: &'static str,
    /// A number, and seconds of processor time.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Writes a picture to the results.
pub(crate) fn plot(file: &str, across: &str, series: &[Series]) {
    let path = super::folder("results").join(format!("{file}.svg"));
    if let Err(problem) = std::fs::write(&path, picture(across, series)) {
        eprintln!("{}: {problem}", path.display());
    }
}

/// An axis from one power of ten to another.
struct Axis {
    first: f64,
    last: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64> + Clone) -> Axis {
        let first = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
        let last = values.fold(f64::NEG_INFINITY, f64::max).log10().ceil();
        Axis { first, last: last.max(first + 1.0) }
    }

    /// The part of the axis before a value.
    fn part(&self, value: f64) -> f64 {
        (value.log10() - self.first) / (self.last - self.first)
    }

    fn powers(&self) -> impl Iterator<Item = i32> {
        self.first as i32..=self.last as i32
    }
}

fn picture(across: &str, series: &[Series]) -> String {
    let points = || series.iter().flat_map(|series| &series.points).map(|&(x, y)| (x, y.max(LEAST)));
    let (right, up) = (Axis::over(points().map(|(x, _)| x)), Axis::over(points().map(|(_, y)| y)));
    let x = |value: f64| MARGIN + right.part(value) * (WIDTH - 2.0 * MARGIN);
    let y = |value: f64| HEIGHT - MARGIN - up.part(value.max(LEAST)) * (HEIGHT - 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    for power in right.powers() {
        let at = x(10f64.powi(power));
        let (top, bottom) = (MARGIN, HEIGHT - MARGIN);
        let _ = writeln!(svg, "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 16.0,
            number(power)
        );
    }
    for power in up.powers() {
        let at = y(10f64.powi(power));
        let (left, end) = (MARGIN, WIDTH - MARGIN);
        let _ = writeln!(svg, "<path d=\"M{left} {at:.1}H{end}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{} s</text>",
            left - 6.0,
            at + 4.0,
            number(power)
        );
    }
    let (middle, bottom) = (WIDTH / 2.0, HEIGHT - 14.0);
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{bottom}\" text-anchor=\"middle\">{across}</text>");
    for ((series, colour), line) in series.iter().zip(COLOURS.iter().cycle()).zip(0u8..) {
        let path: Vec<String> = series.points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
        for &(a, b) in &series.points {
            let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"/>", x(a), y(b));
        }
        let top = 22.0 + 16.0 * f64::from(line);
        let _ =
            writeln!(svg, "<text x=\"{MARGIN}\" y=\"{top}\" fill=\"{colour}\">{}: processor time</text>", series.name);
    }
    svg + "</svg>\n"
}

/// A power of ten in digits.
fn number(power: i32) -> String {
    match power {
        ..0 => format!("{:.*}", power.unsigned_abs() as usize, 10f64.powi(power)),
        0.. => 10u64.pow(power.unsigned_abs()).to_string(),
    }
}
