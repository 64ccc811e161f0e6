//! Tables for people: columns as wide as their widest cell.

/// A table with a head. Numbers are set to the right.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with this head.
    pub fn new(head: &[&str]) -> Table {
        Table { rows: vec![head.iter().map(|cell| (*cell).to_owned()).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Whether there is only a head.
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// The widest line, in characters.
    pub fn width(&self) -> usize {
        self.widths().iter().map(|width| width + 2).sum()
    }

    /// The table as lines, indented by `indent` spaces.
    pub fn to_text(&self, indent: usize) -> String {
        let widths = self.widths();
        let columns = widths.len();
        let right: Vec<bool> = (0..columns).map(|column| self.is_numeric(column)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = " ".repeat(indent);
            for (column, cell) in row.iter().enumerate() {
                let gap = " ".repeat(widths[column] - cell.chars().count());
                let (before, after) = if right[column] { (gap.as_str(), "") } else { ("", gap.as_str()) };
                line.push_str(&format!("{before}{cell}{after}  "));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        (0..columns).map(|column| width(column).unwrap_or(0)).collect()
    }

    fn is_numeric(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().skip(1).filter_map(|row| row.get(column));
        let is_number =
            |cell: &String| cell.strip_prefix('-').unwrap_or(cell).starts_with(|first: char| first.is_ascii_digit());
        1 < self.rows.len() && cells.all(is_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&["test", "age", "level"]);
        table.row(vec!["t1".into(), "5".into(), "high".into()]);
        table.row(vec!["t2".into(), "-30".into(), "low".into()]);
        assert_eq!(table.to_text(1), " test  age  level\n t1      5  high\n t2    -30  low\n");
    }
}
