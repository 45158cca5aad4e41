//! The help: commands in groups, and an example for each.

use std::fmt::Write;

use clap::Command;
use textwrap::{Options, WordSplitter};

/// Commands grouped by purpose, in the order of the help.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Look around and play",
        &["list", "explore", "solve", "make", "rate", "improve"],
    ),
    ("Search", &["analyse", "merge", "pairs", "table", "plan"]),
    (
        "Check claims, results and libraries",
        &["certify", "verify", "test-plugin"],
    ),
    ("Measure", &["bench", "compare", "regress", "referee"]),
    ("Show", &["report", "permute"]),
    ("Shell", &["completions", "man", "help"]),
];

/// Command lines that work as they are, or with a file of your own if one is named; some for each
/// command.
pub const EXAMPLES: &str = "\
antipode list tilt
antipode explore tilt/card-7
antipode explore tilt/box --antipode --format text
antipode solve tilt/box --board '#.##./...../..O../g..../b....'
antipode solve rush-hour/custom --boards rush.txt
antipode make tilt/box --set grey=2 --moves 12 --count 6
antipode make rush-hour/5x5 --moves 10..12 --minimal --seed 7
antipode rate tilt/card-7
antipode improve sliding-block/climb-12 solve.json --memory 1GiB
antipode analyse tilt/box --set grey=2 --out two-greys
antipode merge shards/* --out whole
antipode pairs sliding-tile/3x3 --from 867/254/3.1,647/85./321 --to 123/456/78.,.12/345/678
antipode table peg-solitaire/english-33 --out english
antipode certify tilt
antipode certify tilt-hardest-board --effort full
antipode plan coin-sliding/5x7 --memory 24GiB --disk 1TB
antipode verify tilt/box --set grey=1
antipode test-plugin ./libmy_puzzle.so
antipode bench ci/suites/small.toml --out now
antipode compare @against now
antipode compare before now --band 1.10
antipode regress --baseline ci/baselines/small.toml
antipode referee rush-hour --command './my-solver {board}'
antipode report antipode-out --out antipode-report
antipode permute board:5x5x2:rotate90
antipode completions bash > ~/.local/share/bash-completion/completions/antipode
antipode man --out ~/.local/share/man/man1";

/// The examples of a command.
fn examples(verb: &str) -> String {
    let of_verb = |line: &&str| line.split(' ').nth(1) == Some(verb);
    let lines: Vec<&str> = EXAMPLES.lines().filter(of_verb).collect();
    lines.join("\n  ")
}

/// The meaning of exit codes; `docs/first-board.md` has the same line.
const EXIT_CODES: &str = "Exit codes: 0 everything is as expected, or `solve` proves that there is no solution; 1 an unexpected verdict, or a regression; 2 bad usage or input; 3 two of our own derivations disagree; 4 something was not reached: a limit, too little memory or disk, a time-out or a stop; 130 a second Ctrl-C.";

/// Maximum width of the list of commands.
const WIDEST: usize = 100;

/// The command with its commands in groups, and an example after each command's options.
pub fn dressed(command: Command) -> Command {
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        groups(&command)
    );
    let more = format!("`antipode help COMMAND` prints help for a subcommand.\n\n{EXIT_CODES}");
    let command = command.help_template(template).after_help(more);
    command.mut_subcommands(|verb| {
        let example = examples(verb.get_name());
        if example.is_empty() {
            return verb;
        }
        let own = verb.get_after_help().map(ToString::to_string);
        let own = own.map_or_else(String::new, |text| format!("{text}\n\n"));
        // The text of `--help` would otherwise replace the example.
        let long = verb.get_after_long_help().map(ToString::to_string);
        let verb = match long {
            Some(long) => verb.after_long_help(format!("{long}\n\nExample:\n  {example}")),
            None => verb,
        };
        verb.after_help(format!("{own}Example:\n  {example}"))
    })
}

fn groups(command: &Command) -> String {
    let names = GROUPS.iter().flat_map(|(_, verbs)| verbs.iter());
    let longest = names.map(|name| name.len()).max().unwrap_or(0);
    let width = crate::output::help_width().min(WIDEST);
    let mut text = String::new();
    for (title, verbs) in GROUPS {
        let _ = writeln!(text, "{title}:");
        for name in verbs {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = match about {
                Some(about) => about.to_string(),
                None => "Prints help for a subcommand".to_owned(),
            };
            let line = format!("{name:longest$}  {about}");
            let hanging = " ".repeat(longest + 4);
            let options = Options::new(width.max(40))
                .initial_indent("  ")
                .subsequent_indent(&hanging)
                .word_splitter(WordSplitter::NoHyphenation);
            let _ = writeln!(text, "{}", textwrap::fill(&line, options));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{EXAMPLES, GROUPS};

    #[test]
    fn every_verb_is_in_one_group_and_has_an_example_that_is_read() {
        let command = crate::command();
        let verbs: BTreeSet<&str> = command
            .get_subcommands()
            .map(|verb| verb.get_name())
            .collect();
        let grouped = GROUPS.iter().flat_map(|(_, verbs)| verbs.to_vec());
        let grouped: Vec<&str> = grouped.filter(|name| *name != "help").collect();
        assert_eq!(grouped.len(), verbs.len());
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), verbs);
        let shown = EXAMPLES.lines().filter_map(|line| line.split(' ').nth(1));
        let shown: BTreeSet<&str> = shown.collect();
        assert_eq!(shown, verbs);
        for verb in super::dressed(crate::command()).get_subcommands_mut() {
            if shown.contains(verb.get_name()) {
                let help = verb.render_long_help().to_string();
                assert!(help.contains("Example:"), "{verb} --help has no example");
            }
        }
        for line in EXAMPLES.lines() {
            let line = line.replace('\'', "");
            let words = line.split(" > ").next().expect("a command");
            let read = crate::command().try_get_matches_from(words.split_whitespace());
            read.unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }
}
