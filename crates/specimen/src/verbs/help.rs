//! `specimen help`: the help of a verb, or everything about a language.

use clap::{Arg, Command, CommandFactory};
use front::exit::Exit;
use front::failure::Failure;
use front::language::Language;
use front::options::languages;
use front::output::{Form, Output};
use search::Strategy;
use serde_json::{Value as Json, json};
use testcase::export::Format;

use crate::args::{Arguments, HelpArguments, Verb, parse};

pub(crate) fn run(output: &Output, arguments: &HelpArguments) -> Result<Exit, Failure> {
    let text = match (output.form, arguments.topic.as_deref()) {
        (Form::Json, None) => format!("{:#}\n", as_json()),
        (Form::Json, Some(_)) => {
            return Err(Failure::Usage("with --format json, the help is about everything: leave the topic out".into()));
        }
        (Form::Human, None) => rendered(Arguments::command()),
        (Form::Human, Some(topic)) => match (verb(topic), language(topic)) {
            (Some(verb), _) => rendered(verb),
            (None, Some(language)) => about(language),
            (None, None) => {
                let names: Vec<&str> = Language::ALL.iter().map(|language| language.name()).collect();
                let message =
                    format!("`{topic}` is neither a verb nor a language; the languages are {}", names.join(", "));
                return Err(Failure::Usage(message));
            }
        },
    };
    output.product(&text)?;
    Ok(Exit::Done)
}

fn rendered(mut command: Command) -> String {
    command.render_help().to_string()
}

/// The command of a verb, without the options of languages.
fn verb(name: &str) -> Option<Command> {
    let mut command = parse::command(name, &[]);
    command.build();
    command.find_subcommand(name).cloned()
}

/// A language by its name, or by the name of its family.
fn language(name: &str) -> Option<Language> {
    let named = Language::from_name(name).ok();
    named.or_else(|| Language::ALL.iter().copied().find(|language| language.front().family() == name))
}

/// An option of a language, with the verbs that have it.
struct OwnOption {
    option: Arg,
    verbs: Vec<String>,
}

/// Whether a verb does anything for a family of languages.
fn is_for(verb: &str, family: &str) -> bool {
    match verb {
        "coupling" => family == "boolean",
        "translate" => family == "action",
        "evaluate" => family == "stl",
        "shell" => family == "c",
        "mutants" => ["action", "stl", "ltl"].contains(&family),
        _ => true,
    }
}

/// The options of a language, each once.
fn own_options(language: Language) -> Vec<OwnOption> {
    let mut found: Vec<OwnOption> = Vec::new();
    let base = Arguments::command();
    let verbs = base.get_subcommands().map(Command::get_name);
    for verb in verbs.filter(|verb| is_for(verb, language.front().family())) {
        for option in Verb::options(verb, language).into_iter().filter(|option| !option.is_hide_set()) {
            let same = |known: &&mut OwnOption| {
                known.option.get_long() == option.get_long() && known.option.get_help() == option.get_help()
            };
            match found.iter_mut().find(same) {
                Some(known) => known.verbs.push(verb.to_owned()),
                None => found.push(OwnOption { option, verbs: vec![verb.to_owned()] }),
            }
        }
    }
    found
}

/// Everything about a language: files, criteria, strategies, formats, and its options by the verbs that have them.
fn about(language: Language) -> String {
    let front = language.front();
    let (criteria, usual) = front.criteria();
    let strategies: Vec<&str> = languages::strategies(language).iter().map(|strategy| strategy.name()).collect();
    let formats: Vec<&str> = formats(language).into_iter().map(|(name, _)| name).collect();
    let extension = language.extension();
    let mut text = format!("{}\n\n", language.words());
    text += &format!("Files: *.{extension} (--lang {})\n", language.name());
    text += &hanging("Criteria:", 4, &format!("{} (default: {usual})", criteria.join(", ")));
    text += &hanging("Strategies:", 4, &strategies.join(", "));
    text += &hanging("Export formats:", 4, &formats.join(", "));
    let mut groups: Vec<(Vec<String>, Vec<Arg>)> = Vec::new();
    for OwnOption { option, verbs } in own_options(language) {
        match groups.iter_mut().find(|(known, _)| *known == verbs) {
            Some((_, group)) => group.push(option),
            None => groups.push((verbs, vec![option])),
        }
    }
    for (verbs, group) in groups {
        text += &format!("\nOptions of {}:\n", verbs.join(", "));
        let width = group.iter().map(|option| head(option).chars().count()).max().unwrap_or(0) + 1;
        for option in group {
            text += &hanging(&format!("{:width$}", head(&option)), width + 1, &explained(&option));
        }
    }
    text += "\nBudgets, which --effort scales:\n";
    for budget in search::effort::BUDGETS.iter().chain(front.budgets()) {
        text += &format!("  {budget}\n");
    }
    text + &format!("\n`specimen generate FILE.{extension} --help` also shows the options that all languages have.\n")
}

/// How an option is written: `  -I, --include <FOLDER>`.
fn head(option: &Arg) -> String {
    let short = option.get_short().map_or_else(|| "    ".to_owned(), |short| format!("-{short}, "));
    let value = option.get_value_names().filter(|_| option.get_action().takes_values()).and_then(|names| names.first());
    let value = value.map(|name| format!(" <{name}>")).unwrap_or_default();
    format!("  {short}--{}{value}", option.get_long().unwrap_or_default())
}

/// What an option means, its usual value, and the values there are.
fn explained(option: &Arg) -> String {
    let mut text = option.get_help().map(ToString::to_string).unwrap_or_default();
    let usual: Vec<_> = option.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if option.get_action().takes_values() && !usual.is_empty() {
        text += &format!(" [default: {}]", usual.join(", "));
    }
    let values = values(option);
    if !values.is_empty() {
        text += &format!(" [possible values: {}]", values.join(", "));
    }
    text
}

/// The values of an option that has a few.
fn values(option: &Arg) -> Vec<String> {
    match option.get_action().takes_values() {
        true => option.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect(),
        false => Vec::new(),
    }
}

/// Words after a head, in lines of at most 100 characters, all but the first indented.
fn hanging(head: &str, indent: usize, words: &str) -> String {
    let mut text = head.to_owned();
    let mut width = head.chars().count();
    for word in words.split(' ') {
        let length = word.chars().count();
        if 100 < width + 1 + length {
            text = format!("{}\n{}{word}", text.trim_end(), " ".repeat(indent));
            width = indent + length;
        } else {
            text += &format!(" {word}");
            width += 1 + length;
        }
    }
    text + "\n"
}

/// The formats of `export` for a language: its own, then those that every suite has.
fn formats(language: Language) -> Vec<(&'static str, &'static str)> {
    let own = language.front().formats();
    let shared = Format::ALL.iter().map(|format| (format.name(), format.description()));
    own.iter().copied().chain(shared.filter(|(name, _)| own.iter().all(|(other, _)| other != name))).collect()
}

fn as_json() -> Json {
    let base = Arguments::command();
    let verbs = base.get_subcommands().map(|verb| {
        let options = verb.get_arguments().filter(|option| !option.is_hide_set() && option.get_long().is_some());
        let positional: Vec<String> = verb.get_positionals().map(|one| one.to_string()).collect();
        json!({
            "name": verb.get_name(),
            "about": verb.get_about().map(ToString::to_string),
            "arguments": positional,
            "options": options.map(|option| described(option, &[])).collect::<Vec<_>>(),
        })
    });
    let languages = Language::ALL.iter().map(|language| {
        let (criteria, usual) = language.front().criteria();
        let formats = formats(*language).into_iter().map(|(name, words)| json!({ "name": name, "about": words }));
        let own = own_options(*language);
        json!({
            "name": language.name(),
            "about": language.words(),
            "extension": language.extension(),
            "family": language.front().family(),
            "criteria": criteria,
            "criterion": usual,
            "strategies": languages::strategies(*language).iter().map(|strategy| strategy.name()).collect::<Vec<_>>(),
            "formats": formats.collect::<Vec<_>>(),
            "options": own.iter().map(|own| described(&own.option, &own.verbs)).collect::<Vec<_>>(),
        })
    });
    json!({
        "verbs": verbs.collect::<Vec<_>>(),
        "common": base.get_arguments().map(|option| described(option, &[])).collect::<Vec<_>>(),
        "languages": languages.collect::<Vec<_>>(),
        "strategies": Strategy::ALL.iter().map(|strategy| strategy.name()).collect::<Vec<_>>(),
    })
}

/// An option for programs; with the verbs that have it, where it is one of a language.
fn described(option: &Arg, verbs: &[String]) -> Json {
    let value = option.get_value_names().filter(|_| option.get_action().takes_values());
    let value = value.and_then(|names| names.first());
    let mut json = json!({
        "option": option.get_long().map(|long| format!("--{long}")),
        "help": option.get_help().map(ToString::to_string),
    });
    if let Some(short) = option.get_short() {
        json["short"] = json!(format!("-{short}"));
    }
    if let Some(value) = value {
        json["value"] = json!(value.as_str());
    }
    let values = values(option);
    if !values.is_empty() {
        json["values"] = json!(values);
    }
    if !verbs.is_empty() {
        json["verbs"] = json!(verbs);
    }
    json
}
