//! The options of recordings of systems: which columns are which.

use clap::Args;

use crate::failure::Failure;

/// Which columns of a recording are which.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Recordings")]
pub struct LogArguments {
    /// A column, or the path of a signal in a dump, for a name of the specification: 'VehSpd [km/h]=v'; may be given several times
    #[arg(long, value_name = "COLUMN=NAME")]
    pub map: Vec<String>,
    /// The column of the time [default: one called time, t or timestamp, with a unit in brackets or not]
    #[arg(long, value_name = "COLUMN")]
    pub time_column: Option<String>,
}

impl LogArguments {
    /// The pairs of a name and its column.
    ///
    /// # Errors
    /// When a text is not such a pair, or a name has two columns.
    pub fn pairs(&self) -> Result<Vec<(String, String)>, Failure> {
        let pair = |text: &String| match text.rsplit_once('=') {
            Some((column, name)) if !column.trim().is_empty() && !name.trim().is_empty() => {
                Ok((name.trim().to_owned(), column.trim().to_owned()))
            }
            _ => Err(Failure::Usage(format!("`{text}` is not a column, `=` and a name: `--map 'VehSpd [km/h]=v'`"))),
        };
        let pairs = self.map.iter().map(pair).collect::<Result<Vec<_>, _>>()?;
        for (place, (name, _)) in pairs.iter().enumerate() {
            if pairs[..place].iter().any(|(before, _)| before == name) {
                return Err(Failure::Usage(format!("`--map` names two columns for `{name}`")));
            }
        }
        Ok(pairs)
    }
}
