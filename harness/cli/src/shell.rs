//! `antipode completions SHELL` and `antipode man`: the command's description for a shell and for
//! `man`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;

use antipode_claims::{ClaimSource, module_sources, parse_claims};
use antipode_graph::{Library, builtin};
use antipode_reports::results::Results;

use super::output::{Begin, Force};
use super::{AS_EXPECTED, results};

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub struct Man {
    /// Folder for one page per command [default: the first page, to stdout].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

/// Prints the script that teaches a shell commands, options, instances and ids of claims.
pub fn completions(args: &Completions, command: Command) -> Result<u8> {
    let mut text = Vec::new();
    let mut command = with_names(command)?;
    clap_complete::generate(args.shell, &mut command, "antipode", &mut text);
    let text = with_positionals(String::from_utf8(text)?, args.shell, &command);
    results::out().write_all(text.as_bytes())?;
    Ok(AS_EXPECTED)
}

/// A script with what `clap_complete` leaves out for some shells: the names for arguments without a
/// flag.
fn with_positionals(mut text: String, shell: Shell, command: &Command) -> String {
    for verb in command.get_subcommands() {
        let names = verb.get_positionals().flat_map(Arg::get_possible_values);
        let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
        if names.is_empty() {
            continue;
        }
        for verb in std::iter::once(verb.get_name()).chain(verb.get_all_aliases()) {
            // Elvish and PowerShell have a list for each command, which begins with this line.
            let (list, name): (_, fn(&str) -> String) = match shell {
                Shell::Fish => {
                    text.push_str(&format!(
                        "complete -c antipode -n \"__fish_antipode_using_subcommand {verb}\" -f -a \"{}\"\n",
                        names.join(" ")
                    ));
                    continue;
                }
                Shell::Elvish => (format!("&'antipode;{verb}'= {{\n"), |name| {
                    format!("            cand {name} ''\n")
                }),
                Shell::PowerShell => (format!("        'antipode;{verb}' {{\n"), |name| {
                    format!(
                        "            [CompletionResult]::new('{name}', '{name}', [CompletionResultType]::ParameterValue, '{name}')\n"
                    )
                }),
                _ => continue,
            };
            if let Some(at) = text.find(&list) {
                let names: String = names.iter().map(|text| name(text)).collect();
                text.insert_str(at + list.len(), &names);
            }
        }
    }
    text
}

/// Writes the pages.
pub fn man(args: &Man, mut command: Command) -> Result<u8> {
    let page = |command: Command| -> Result<Vec<u8>> {
        let mut text = Vec::new();
        clap_mangen::Man::new(command).render(&mut text)?;
        Ok(text)
    };
    command.build();
    let Some(folder) = &args.out else {
        results::out().write_all(&page(command)?)?;
        return Ok(AS_EXPECTED);
    };
    let verbs = command
        .get_subcommands()
        .filter(|verb| verb.get_name() != "help");
    let mut pages: Vec<Command> = verbs.cloned().collect();
    for verb in &mut pages {
        // The name under which `man` finds it, as for git and cargo.
        *verb = verb.clone().name(format!("antipode-{}", verb.get_name()));
    }
    pages.insert(0, command);
    let names = pages.iter().map(|page| format!("{}.1", page.get_name()));
    let names: Vec<String> = names.collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let begin = Begin::anew("man");
    args.force.make_way(Some(folder), &all, begin)?;
    let mut results = Results::whole(folder, begin.verb);
    for (name, command) in names.iter().zip(pages) {
        results.bytes(name, Ok(page(command)?))?;
    }
    results.finish()?;
    Ok(AS_EXPECTED)
}

/// The command with the names for its arguments: a shell requests them while nothing runs.
fn with_names(command: Command) -> Result<Command> {
    let libraries: Vec<Library> = builtin::all();
    let puzzles: Vec<String> = libraries
        .iter()
        .map(|library| library.name.clone())
        .collect();
    let instances = libraries.iter().flat_map(|library| {
        let all = library.instances.iter();
        all.map(|info| format!("{}/{}", library.name, info.name))
    });
    let instances: Vec<String> = instances.collect();
    let both: Vec<String> = puzzles.iter().chain(&instances).cloned().collect();
    let mut claims = puzzles.clone();
    let own = libraries.into_iter().map(std::sync::Arc::new);
    let own: Vec<ClaimSource> = own
        .filter_map(|library| ClaimSource::of_library(&library))
        .collect();
    for source in own.into_iter().chain(module_sources()) {
        let all = parse_claims(&source.file, &source.text)?.all()?;
        claims.extend(all.into_iter().map(|claim| claim.id));
    }
    Ok(command.mut_subcommands(|verb| {
        verb.mut_args(|arg| {
            let names = arg.get_value_names().unwrap_or_default();
            let known = match names.first().map(|name| name.as_str()) {
                Some("PUZZLE/INSTANCE") => &instances,
                Some("PUZZLE[/INSTANCE]") => &both,
                Some("PUZZLE|CLAIM-ID") => &claims,
                Some("PUZZLE") => &puzzles,
                _ => return arg,
            };
            arg.value_parser(PossibleValuesParser::new(known.clone()))
        })
    }))
}

#[cfg(test)]
mod tests {
    use clap::{Arg, CommandFactory};

    use super::with_names;

    #[test]
    fn an_argument_that_names_puzzles_or_instances_is_completed() {
        let command = with_names(crate::Cli::command()).unwrap();
        let mut seen = 0;
        for verb in command.get_subcommands() {
            let arguments = verb.get_positionals();
            let named = |arg: &&Arg| {
                arg.get_value_names()
                    .is_some_and(|names| names[0].starts_with("PUZZLE"))
            };
            for argument in arguments.filter(named) {
                let form = &argument.get_value_names().unwrap()[0];
                let values = argument.get_possible_values();
                for (name, part) in [("tilt", "PUZZLE|"), ("tilt/box", "INSTANCE")] {
                    let listed = values.iter().any(|value| value.get_name() == name);
                    let wanted = format!("{}|", form.replace('[', "|")).contains(part);
                    assert_eq!(listed, wanted, "{} {form}: {name}", verb.get_name());
                    seen += usize::from(listed);
                }
            }
        }
        assert!(seen > 10, "{seen}");
    }
}
