//! The command line in two stages: the verb and the languages of its files first, then the command that is made for them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::StyledStr;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches, ValueEnum};
use front::language::{self, Language};
use front::options::languages;
use front::output::Form;

use super::{Arguments, CommonArguments, Verb};
use crate::terminal::Colour;

/// A command line that was understood.
pub(crate) struct Parsed {
    pub(crate) arguments: Arguments,
    /// What has no effect, in words.
    pub(crate) notes: Vec<String>,
    /// The command that was made for it, and what clap found.
    pub(crate) command: Command,
    pub(crate) matches: ArgMatches,
}

/// A command line that was not.
pub(crate) enum Refusal {
    /// Clap asks for help to be shown, or says what is wrong.
    Clap(clap::Error),
    /// An option or a strategy of another language.
    Foreign { message: String, common: CommonArguments },
}

impl From<clap::Error> for Refusal {
    fn from(error: clap::Error) -> Refusal {
        Refusal::Clap(error)
    }
}

/// What the first stage finds.
struct Glance {
    verb: String,
    /// The languages of the files; none if no file is named, or none is known.
    languages: Vec<Language>,
    /// The options that are given, without their dashes.
    given: BTreeSet<String>,
    help: bool,
    /// Whether some file is named.
    named: bool,
    common: CommonArguments,
}

/// Reads a command line, the name of the program first.
pub(crate) fn parse(words: &[OsString]) -> Result<Parsed, Refusal> {
    let mut glance = glance(words);
    let about_project = glance.as_ref().and_then(|glance| glance.about_project(words));
    let words = about_project.as_deref().unwrap_or(words);
    if about_project.is_some() {
        glance = None;
    }
    let mut notes = Vec::new();
    let mut command = Arguments::command();
    if let Some(glance) = &glance {
        let foreign = |message| Refusal::Foreign { message, common: glance.common.clone() };
        if !glance.help {
            refuse_foreign(glance).map_err(foreign)?;
        }
        command = self::command(&glance.verb, glance.offered());
    }
    command.build();
    let matches = command.clone().try_get_matches_from(words)?;
    let mut arguments = Arguments::from_arg_matches(&matches)?;
    if let (Some(glance), Some((verb, own))) = (&glance, matches.subcommand()) {
        arguments.verb.take(glance.offered(), own)?;
        if let Some(language) = glance.languages.first() {
            let common = || arguments.common.clone();
            notes = languages::check(verb, own, *language)
                .map_err(|message| Refusal::Foreign { message, common: common() })?;
        }
    }
    Ok(Parsed { arguments, notes, command, matches })
}

/// Verbs that are about the whole project where no file is named.
const PROJECT_VERBS: &[&str] = &["generate", "check", "replay"];

impl Glance {
    /// The same command line with the verb for projects, if no file is named: `generate` becomes `project generate`.
    fn about_project(&self, words: &[OsString]) -> Option<Vec<OsString>> {
        if self.named || self.help || !PROJECT_VERBS.contains(&self.verb.as_str()) {
            return None;
        }
        let place = words.iter().skip(1).position(|word| word.to_str() == Some(self.verb.as_str()))? + 1;
        let (before, after) = words.split_at(place);
        Some(before.iter().cloned().chain([OsString::from("project")]).chain(after.iter().cloned()).collect())
    }

    /// The languages whose options the command has: those of the files, and all of them where these are not known yet.
    fn offered(&self) -> &[Language] {
        match (self.languages.as_slice(), self.help) {
            ([], true) => &[],
            ([], false) => Language::ALL,
            (known, _) => known,
        }
    }
}

/// The first stage: which verb, which files, which options. Nothing is refused.
fn glance(words: &[OsString]) -> Option<Glance> {
    let base = Arguments::command();
    let mut known: Vec<Arg> = base.get_arguments().cloned().collect();
    let mut verb: Option<&Command> = None;
    let (mut files, mut given) = (Vec::new(), BTreeMap::new());
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let option = text.strip_prefix("--").map(|long| match long.split_once('=') {
            Some((name, value)) => (find(&known, |option| is_called(option, name)), Some(value.to_owned())),
            None => (find(&known, |option| is_called(option, long)), None),
        });
        let option = option.or_else(|| {
            // Flags may stand together, before an option with a value.
            let mut letters = text.strip_prefix('-')?.chars();
            let takes = letters.by_ref().find_map(|letter| {
                let option = find(&known, |option| option.get_short() == Some(letter))?;
                if option.get_action().takes_values() {
                    return Some(option);
                }
                given.insert(name(&option), String::new());
                None
            });
            let value = Some(letters.collect::<String>()).filter(|value| !value.is_empty());
            Some((takes, value))
        });
        match (option, verb) {
            (Some(_), _) if text == "--" => files.extend(words.by_ref().map(PathBuf::from)),
            (Some((Some(option), value)), _) => {
                let value = match option.get_action().takes_values() {
                    true => value.or_else(|| words.next().map(|word| word.to_string_lossy().into_owned())),
                    false => None,
                };
                given.insert(name(&option), value.unwrap_or_default());
            }
            (None, Some(_)) => files.push(PathBuf::from(word)),
            (Some((None, _)), Some(_)) if text == "-" => files.push(PathBuf::from(word)),
            (Some((None, _)), _) => {}
            (None, None) => {
                let found = base.find_subcommand(text.as_ref())?;
                let foreign = Language::ALL.iter().flat_map(|language| Verb::options(found.get_name(), *language));
                known.extend(found.get_arguments().cloned().chain(foreign));
                verb = Some(found);
            }
        }
    }
    let verb = verb?;
    let said = |name: &str| given.get(name).map(String::as_str);
    Some(Glance {
        verb: verb.get_name().to_owned(),
        languages: known_languages(verb, said("lang"), &files),
        named: !files.is_empty(),
        help: said("help").is_some(),
        common: CommonArguments {
            format: said("format").and_then(|text| Form::from_str(text, true).ok()).unwrap_or(Form::Human),
            color: said("color").and_then(|text| Colour::from_str(text, true).ok()).unwrap_or(Colour::Auto),
            quiet: said("quiet").is_some(),
            verbose: said("verbose").is_some(),
            help: None,
        },
        given: given.into_keys().collect(),
    })
}

fn find(options: &[Arg], wanted: impl Fn(&Arg) -> bool) -> Option<Arg> {
    options.iter().find(|option| wanted(option)).cloned()
}

fn is_called(option: &Arg, name: &str) -> bool {
    option.get_long() == Some(name) || option.get_all_aliases().into_iter().flatten().any(|alias| alias == name)
}

fn name(option: &Arg) -> String {
    option.get_long().unwrap_or_else(|| option.get_id().as_str()).to_owned()
}

/// The languages of a command line, as far as they are known.
fn known_languages(verb: &Command, named: Option<&str>, files: &[PathBuf]) -> Vec<Language> {
    if let Some(name) = named {
        return Language::from_name(name).into_iter().collect();
    }
    let positional = verb.get_positionals().next().map(|positional| positional.get_id().as_str());
    let of = |path: &PathBuf| Language::of(path).ok();
    match (verb.get_name(), positional) {
        // Verbs about one language.
        ("shell", _) => vec![Language::C],
        ("evaluate", _) => vec![Language::Stl],
        (_, Some("file")) => files.first().and_then(of).into_iter().collect(),
        (_, Some("files")) => files.iter().filter_map(of).collect(),
        _ => Vec::new(),
    }
}

/// Refuses options that none of the languages has, but another one.
fn refuse_foreign(glance: &Glance) -> Result<(), String> {
    let Some(first) = glance.languages.first() else { return Ok(()) };
    let has = |language: &Language, option: &str| {
        Verb::options(&glance.verb, *language).iter().any(|own| own.get_long() == Some(option))
    };
    let base = Arguments::command();
    let verb = base.find_subcommand(&glance.verb);
    for option in &glance.given {
        let common = verb.into_iter().flat_map(Command::get_arguments).any(|own| own.get_long() == Some(option));
        let owners: Vec<Language> = Language::ALL.iter().copied().filter(|language| has(language, option)).collect();
        if !common && !owners.is_empty() && !glance.languages.iter().any(|language| owners.contains(language)) {
            let family = first.front().title();
            return Err(format!("`--{option}` is for {}, not for {family}", language::titles(&owners)));
        }
    }
    Ok(())
}

/// The command with the options of these languages for one of its verbs.
pub(crate) fn command(verb: &str, languages: &[Language]) -> Command {
    let base = Arguments::command().mut_subcommands(|verb| verb.max_term_width(100));
    if base.find_subcommand(verb).is_none() {
        return base;
    }
    base.mut_subcommand(verb, |mut command| {
        let mut order = 1000;
        for option in languages.iter().flat_map(|language| Verb::options(verb, *language)) {
            if command.get_arguments().all(|known| known.get_id() != option.get_id()) {
                order += 1;
                command = command.arg(option.display_order(order));
            }
        }
        let elsewhere = Language::ALL.iter().any(|language| !Verb::options(verb, *language).is_empty());
        match languages {
            [] if elsewhere && verb != "shell" => command.after_help(where_to_look(verb)),
            [first, rest @ ..] if rest.iter().all(|other| other.front().family() == first.front().family()) => {
                told(command, *first)
            }
            _ => command,
        }
    })
}

/// Where the options of languages are.
fn where_to_look(verb: &str) -> StyledStr {
    let names: Vec<&str> = Language::ALL.iter().map(|language| language.name()).collect();
    format!(
        "`specimen {verb} FILE.c --help` also shows the options for C, `specimen help c` all options for C;\n\
         the same for the other languages: {}.",
        names.join(", ")
    )
    .into()
}

/// The command with what its options mean for a language.
fn told(command: Command, language: Language) -> Command {
    let (names, usual) = language.front().criteria();
    let mut command = command;
    if command.get_arguments().any(|option| option.get_id() == "criterion") {
        let help = format!("The coverage criterion: {} (default: {usual})", names.join(", "));
        command = command.mut_arg("criterion", |option| option.help(help));
    }
    if command.get_arguments().any(|option| option.get_id() == "strategy") {
        let names: Vec<&str> = languages::strategies(language).iter().map(|strategy| strategy.name()).collect();
        let help = format!("How queries are posed: {}", names.join(", "));
        command = command.mut_arg("strategy", |option| option.help(help));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{CriterionArguments, ReadingArguments};
    use front::options::recorded::{self, Recorded, written};

    /// The verbs that read a specification.
    const VERBS: &[&str] = &["check", "goals", "mutants", "generate", "run", "measure", "coupling"];

    /// Some value for each kind of option.
    const VALUES: &[&str] = &[
        "7",
        "small",
        "a=1",
        "1/2",
        "x",
        "each",
        "loose",
        "low",
        "longest",
        "printed-until",
        "csv",
        "auto",
        "variable",
        "json",
        "stop",
        "ignore",
        "hoa",
        "ms",
    ];

    /// What some options need beside them.
    const MORE: &[&[&str]] = &[&[], &["--unwind", "1"], &["--out", "o"], &["--grid"], &["--feasible"]];

    /// The options of a verb for any language, each once.
    fn options(verb: &str) -> Vec<Arg> {
        let mut command = command(verb, Language::ALL);
        command.build();
        let verb = command.find_subcommand(verb).expect("a verb");
        let takes = |option: &&Arg| option.get_long().is_some_and(|long| !["help", "lang", "strategy"].contains(&long));
        verb.get_arguments().filter(takes).cloned().collect()
    }

    /// A command line with an option that is understood if the language is not known.
    fn with_option(verb: &str, option: &Arg) -> Vec<OsString> {
        let long = format!("--{}", option.get_long().expect("an option"));
        let values = if option.get_action().takes_values() { VALUES } else { &[""] };
        for (value, more) in MORE.iter().flat_map(|more| values.iter().map(move |value| (*value, more))) {
            let mut line = vec!["specimen", verb, "a.file"];
            line.extend((verb == "measure").then_some("t.csv"));
            line.extend([long.as_str(), value].into_iter().filter(|word| !word.is_empty()).chain(more.iter().copied()));
            let line: Vec<OsString> = line.iter().map(OsString::from).collect();
            if parse(&line).is_ok() {
                return line;
            }
        }
        panic!("`{verb} {long}` has a value");
    }

    /// The same for a file of a language.
    fn for_language(line: &[OsString], language: Language) -> Result<Parsed, Refusal> {
        let mut line = line.to_vec();
        line[2] = format!("a.{}", language.name()).into();
        parse(&line)
    }

    #[test]
    fn every_option_is_understood_by_its_languages_and_refused_by_others() {
        let mut checked = 0;
        for verb in VERBS {
            let base = Arguments::command();
            let common: Vec<&Arg> = base.find_subcommand(verb).expect("a verb").get_arguments().collect();
            for option in options(verb) {
                let long = option.get_long();
                let line = with_option(verb, &option);
                let global = base.get_arguments().any(|known| known.get_long() == long);
                for language in Language::ALL {
                    let own = global
                        || common.iter().any(|known| known.get_long() == long)
                        || Verb::options(verb, *language).iter().any(|known| known.get_long() == long);
                    let found = for_language(&line, *language);
                    let what = format!("{verb} a.{} --{}", language.name(), long.unwrap_or_default());
                    match found {
                        Ok(_) => assert!(own, "{what} is accepted"),
                        Err(Refusal::Foreign { message, .. }) => assert!(!own, "{what}: {message}"),
                        Err(Refusal::Clap(error)) => panic!("{what}: {error}"),
                    }
                    checked += 1;
                }
            }
        }
        assert!(1_000 < checked, "{checked} combinations");
    }

    /// Options that a suite does not hold: what they name becomes part of another one, or they change no goal and no test.
    const NOT_RECORDED: &[&str] = &[
        "query-file",
        "property",
        "results",
        "reject-undeclared-inputs",
        "c/memory",
        "stl/memory",
        "tessla/memory",
        "map",
        "time-column",
        "stl/time-unit",
    ];

    /// How a specification was read and what was asked, for a language.
    fn recorded_of(verb: &Verb) -> (ReadingArguments, CriterionArguments) {
        let Verb::Goals(arguments) = verb else { panic!("`goals` was asked for") };
        (arguments.spec.reading.clone(), arguments.criterion.clone())
    }

    /// What a suite of a family holds of options.
    fn held(family: &str, (reading, criterion): &(ReadingArguments, CriterionArguments)) -> Recorded {
        match family {
            "boolean" => written(&reading.boolean).into_iter().chain(written(&criterion.boolean)).collect(),
            "action" => written(&criterion.action),
            "stl" => written(&reading.stl).into_iter().chain(written(&criterion.stl)).collect(),
            "tessla" => written(&reading.tessla).into_iter().chain(written(&criterion.tessla)).collect(),
            "ltl" => {
                let reading = written(&reading.ltl).into_iter().chain(written(&reading.tlsf));
                reading.chain(written(&criterion.ltl)).collect()
            }
            "c" => written(&reading.c).into_iter().chain(written(&criterion.c)).collect(),
            _ => panic!("{family} is not known here"),
        }
    }

    /// What a suite of a family is read as.
    fn read_back(family: &str, held: &Recorded) -> (ReadingArguments, CriterionArguments) {
        let (mut reading, mut criterion) = (ReadingArguments::default(), CriterionArguments::default());
        let understood = "what was written is read";
        match family {
            "boolean" => {
                reading.boolean = recorded::read(held).expect(understood);
                criterion.boolean = recorded::read(held).expect(understood);
            }
            "action" => criterion.action = recorded::read(held).expect(understood),
            "stl" => {
                reading.stl = recorded::read(held).expect(understood);
                criterion.stl = recorded::read(held).expect(understood);
            }
            "tessla" => {
                reading.tessla = recorded::read(held).expect(understood);
                criterion.tessla = recorded::read(held).expect(understood);
            }
            "ltl" => {
                reading.ltl = recorded::read(held).expect(understood);
                reading.tlsf = recorded::read(held).expect(understood);
                criterion.ltl = recorded::read(held).expect(understood);
            }
            "c" => {
                reading.c = recorded::read(held).expect(understood);
                criterion.c = recorded::read(held).expect(understood);
            }
            _ => panic!("{family} is not known here"),
        }
        (reading, criterion)
    }

    #[test]
    fn every_option_that_shapes_goals_round_trips_through_a_suite() {
        let usual = (ReadingArguments::default(), CriterionArguments::default());
        let mut checked = 0;
        for language in Language::ALL {
            let family = language.front().family();
            for option in Verb::options("goals", *language) {
                let long = option.get_long().expect("an option");
                let what = format!("{family} --{long}");
                let parsed = for_language(&with_option("goals", &option), *language);
                let Ok(parsed) = parsed else { panic!("{what} is not understood") };
                let given = recorded_of(&parsed.arguments.verb);
                let again = read_back(family, &held(family, &given));
                let is_usual = long == c_host();
                match NOT_RECORDED.contains(&long) || NOT_RECORDED.contains(&format!("{family}/{long}").as_str()) {
                    true => assert_eq!(again, usual, "{what}"),
                    false => {
                        assert!(is_usual || given != usual, "{what} changes nothing");
                        assert_eq!(again, given, "{what}");
                    }
                }
                checked += 1;
            }
        }
        assert!(80 < checked, "{checked} options");
    }

    /// FShell's name for the usual machine, an option that changes nothing.
    fn c_host() -> &'static str {
        "no-arch"
    }

    #[test]
    fn strategies_are_honoured_or_refused() {
        for (file, strategy, honoured) in [
            ("a.bool", "hard", true),
            ("a.bool", "growing", false),
            ("a.tessla", "growing", true),
            ("a.stl", "simple", true),
            ("a.tessla", "soft", true),
            ("a.as", "soft", false),
            ("a.as", "each", true),
            ("a.ltl", "iterative", false),
            ("a.c", "hard", false),
            ("a.i", "iterative", true),
        ] {
            let line = ["specimen", "generate", file, "--strategy", strategy].map(OsString::from);
            assert_eq!(parse(&line).is_ok(), honoured, "{file} {strategy}");
        }
    }

    #[test]
    fn what_is_refused_is_said_with_its_languages() {
        let said = |line: &str| match parse(&line.split(' ').map(OsString::from).collect::<Vec<_>>()) {
            Ok(parsed) => parsed.notes.join("; "),
            Err(Refusal::Foreign { message, .. }) => message,
            Err(Refusal::Clap(error)) => error.kind().to_string(),
        };
        for (line, words) in [
            ("specimen generate a.bool --engine x", "`--engine` is for action systems, not for Boolean decisions"),
            ("specimen generate a.bool -DX", "`--define` is for C programs, not for Boolean decisions"),
            ("specimen generate a.x --lang bool -vDX", "`--define` is for C programs, not for Boolean decisions"),
            ("specimen generate --query=q a.ltl", "`--query` is for C programs, not for linear temporal logic"),
            (
                "specimen goals a.tlsf --partition p",
                "`--partition` is for linear temporal logic (.ltl), not for linear temporal logic",
            ),
            ("specimen generate a.ltl --jobs 4", ""),
            ("specimen check a.bool b.c --decision d --function f", ""),
            ("specimen check a.bool b.c --core", "`--core` is for TeSSLa, not for Boolean decisions"),
            ("specimen generate a.bool --no-such-option", "unexpected argument found"),
        ] {
            assert_eq!(said(line), words, "{line}");
        }
    }
}
