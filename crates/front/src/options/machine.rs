//! The machine that a C program is for.

use c::DataModel;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde::{Deserialize, Serialize};

use super::recorded::is_false;
use crate::failure::Failure;

/// Widths, order of bytes, sign of characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct MachineArguments {
    /// The name of a data model or a system.
    #[serde(rename = "machine", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The order of bytes, where it is not that of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub big_endian: Option<bool>,
    /// Whether plain characters have no sign.
    #[serde(skip_serializing_if = "is_false")]
    pub unsigned_char: bool,
}

/// The usual machine under the name that FShell gave it.
const HOST: &str = "no-arch";

impl MachineArguments {
    /// The data model that is meant.
    pub fn model(&self) -> Result<DataModel, Failure> {
        let mut model = match &self.name {
            None => DataModel::default(),
            Some(name) => DataModel::named(name).ok_or_else(|| {
                let names: Vec<&str> = DataModel::NAMES.iter().map(|(name, _)| *name).collect();
                Failure::Usage(format!("unknown machine `{name}`; it is one of {}", names.join(", ")))
            })?,
        };
        model.big_endian = self.big_endian.unwrap_or(model.big_endian);
        model.signed_char &= !self.unsigned_char;
        Ok(model)
    }

    /// The macros that compilers for this machine define, beyond the widths of types.
    pub fn defines(&self) -> &'static [&'static str] {
        match self.name.as_deref().map(str::to_ascii_lowercase).as_deref() {
            Some("i386-win32") => &["_WIN32=1", "_M_IX86=600"],
            Some("winx64") => &["_WIN32=1", "_WIN64=1", "_M_X64=100", "_M_AMD64=100"],
            _ => &[],
        }
    }
}

impl Args for MachineArguments {
    fn augment_args(command: Command) -> Command {
        let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
        let names = "LP64, ILP64, LLP64, ILP32, LP32, i386-linux, i386-macos, ppc-macos, i386-win32 or winx64";
        let mut command = command
            .arg(
                Arg::new("machine")
                    .long("machine")
                    .value_name("NAME")
                    .help(format!("The machine: {names}; each name is an option of its own, too")),
            )
            .arg(flag("big-endian").help("The most significant byte comes first").conflicts_with("little-endian"))
            .arg(flag("little-endian").help("The least significant byte comes first"))
            .arg(flag("unsigned-char").help("Plain characters have no sign"));
        // The spellings of FShell and CBMC.
        let others: Vec<&str> = DataModel::NAMES.iter().map(|(name, _)| *name).chain([HOST]).collect();
        for name in DataModel::NAMES.iter().map(|(name, _)| *name).chain([HOST]) {
            let rivals = others.iter().filter(|other| **other != name).copied();
            command = command.arg(flag(name).hide(true).conflicts_with("machine").conflicts_with_all(rivals));
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        MachineArguments::augment_args(command)
    }
}

impl FromArgMatches for MachineArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<MachineArguments, clap::Error> {
        let named = DataModel::NAMES.iter().map(|(name, _)| *name).find(|name| matches.get_flag(name));
        let name = matches.get_one::<String>("machine").cloned().or_else(|| named.map(str::to_owned));
        let big_endian = match (matches.get_flag("big-endian"), matches.get_flag("little-endian")) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        Ok(MachineArguments { name, big_endian, unsigned_char: matches.get_flag("unsigned-char") })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = MachineArguments::from_arg_matches(matches)?;
        Ok(())
    }
}
