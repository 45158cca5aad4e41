//! The command line: one file for each command. Results go to stdout, progress and logs to stderr;
//! exit codes are in `help.rs`. An error of a command is bad input, in one line, or a closed stdout,
//! unless [`failed`] knows another code for it.

mod analyse;
mod bench;
mod boards;
mod certify;
mod compare;
mod crew;
mod drawing;
mod explore;
mod finished;
mod fold;
mod help;
mod history;
mod improve;
mod list;
mod make;
mod merge;
mod names;
mod opening;
mod options;
mod output;
mod pairs;
mod permute;
mod picture;
mod plan;
mod rate;
mod referee;
mod regress;
mod report;
mod results;
mod shell;
mod solve;
mod summary;
mod supervise;
mod table;
mod test_plugin;
mod verify;

use std::error::Error;
use std::ffi::OsString;
use std::io::{Error as IoError, ErrorKind as IoErrorKind, IsTerminal, Write};
use std::num::{IntErrorKind, ParseIntError};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgGroup, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use nix::sys::signal::{SigSet, Signal};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use antipode_check::again::Again;
use antipode_check::conformance::SelfTestFailed;
use antipode_explore::ExploreError;
use antipode_graph::PluginError;
use antipode_reports::atomic::WriteError;
use antipode_reports::text::did_you_mean;
use antipode_search::error::EngineError;
use antipode_search::options::without_options;
use antipode_search::progress::{Stop, Stopped, be_quiet, tell};
use antipode_search::work;
use output::Colour;

/// Exit code: every verdict is the expected one.
pub const AS_EXPECTED: u8 = 0;
/// Exit code: some verdict is not the expected one, or a regression.
pub const UNEXPECTED: u8 = 1;
/// Exit code: bad usage or input.
pub const BAD_INPUT: u8 = 2;
/// Exit code: two of our own derivations disagree.
pub const VERIFICATION_FAILED: u8 = 3;
/// Exit code: nothing failed but something was not reached.
pub const NOT_REACHED: u8 = 4;

/// Re-derives published puzzle results and reports which ones hold.
#[derive(Debug, Parser)]
#[command(name = "antipode", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    everywhere: Everywhere,
}

/// Options of every command.
#[derive(Debug, clap::Args)]
#[group(skip)]
struct Everywhere {
    /// Print no progress and no notes on stderr, only errors.
    #[arg(long, global = true)]
    quiet: bool,
    /// When to use colours [default: on a terminal, unless $NO_COLOR is set].
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_default_value = true
    )]
    color: Colour,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Lists puzzles, instances, variants, and which engines can use them.
    List(list::Args),
    /// Finds a shortest solution of one board and draws it move by move.
    Solve(solve::Args),
    /// Makes boards that take a given number of moves.
    Make(make::Args),
    /// Rates a board: length, shortest solutions, forced moves, dead ends, easier positions.
    Rate(rate::Args),
    /// Shortens a path, and reports which of its windows are proven shortest.
    Improve(improve::Args),
    /// Finds a solution, or a proof of impossibility, for every start and finish.
    Table(table::Args),
    /// Searches all levels of an instance; writes the level table and the antipodes.
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Args),
    /// Merges the shards of an analysis, which may come from other machines.
    Merge(merge::Args),
    /// Estimates the memory, disk space and time each engine needs.
    Plan(plan::Args),
    /// Finds shortest lengths between many pairs of states, each with a path.
    Pairs(pairs::Args),
    /// Analyses an instance and checks the result on samples and on every state.
    Verify(verify::Args),
    /// Re-derives published claims and reports which ones hold.
    Certify(certify::Args),
    /// Compares strategies for one bit permutation: counts, checks, times, prints source.
    Permute(permute::Args),
    /// Builds a page, a site or the marked tables of a README from results.
    Report(report::Args),
    /// Measures the rows of suites, each sample in its own process, and checks the answers.
    Bench(bench::Args),
    /// Compares two rows, variants, engines or result folders.
    Compare(compare::Args),
    /// Checks answers, counters and times against a baseline: the gate for a CI.
    Regress(regress::Args),
    /// Runs external solvers and checks their answers against proven lengths.
    Referee(referee::Args),
    /// Opens a local page: every move with the distance after it.
    Explore(explore::Args),
    /// Checks that a puzzle keeps the contract that searches rely on.
    TestPlugin(test_plugin::Args),
    /// Prints a script that completes commands, options, instances and claims in a shell.
    Completions(shell::Completions),
    /// Prints the manual page, or writes one for every command.
    Man(shell::Man),
}

fn main() -> ExitCode {
    survive_large_files();
    // If it cannot be raised, the limit stays.
    let _ = supervise::save_address_space();
    if let Err(error) = supervise::begin() {
        complain(&format!("{error:#}"));
        return ExitCode::from(BAD_INPUT);
    }
    if let Some(code) = supervise::answer() {
        return supervise::end(code);
    }
    // A panic has printed its message; the exit code shows that it was not a library's.
    let code = std::panic::catch_unwind(run).unwrap_or(PANICKED);
    supervise::end(code)
}

/// A file beyond `ulimit -f` is an error of its write, as on a full disk, and not the end of the
/// process. Threads and processes that are started later have it so too.
fn survive_large_files() {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    // It fails for no existing signal.
    let _ = signals.thread_block();
}

/// Exit code of a panic, as Rust has it.
const PANICKED: u8 = 101;

/// Reads the command line and runs the command.
fn run() -> u8 {
    let words: Vec<_> = std::env::args_os().collect();
    let cli = match parsed(&words) {
        Ok(cli) => cli,
        // Help and version, in full; anything else is bad input, which gets one line.
        Err(text) if !text.use_stderr() => {
            let printed = results::out().with((), |_| text.print());
            return printed.map_or_else(|error| failed(&error.into(), &words), |()| AS_EXPECTED);
        }
        Err(error) if error.kind() == HELP_INSTEAD => error.exit(),
        Err(error) => {
            complain(&one_line(&error, &words));
            return BAD_INPUT;
        }
    };
    output::use_colour(cli.everywhere.color);
    start_log();
    if cli.everywhere.quiet {
        be_quiet();
    }
    let small = matches!(&cli.verb, Verb::Solve(args) if args.keeps_nothing());
    let stop = supervise::stop_on_signals(small);
    let done = cli.verb.run(&stop).and_then(|code| {
        results::out().flush()?;
        Ok(match code {
            AS_EXPECTED if stop.has_cut() => {
                complain(Again::Stopped.remark().trim_start_matches("; "));
                NOT_REACHED
            }
            code => code,
        })
    });
    done.unwrap_or_else(|error| failed(&error, &words))
}

/// The command line, with its help.
fn command() -> clap::Command {
    help::dressed(Cli::command().mut_subcommands(with_common_rules))
}

/// A number below 0 is a value that is refused as such, not an unknown flag; --force says nothing
/// without a file to write, if the command writes none by itself.
fn with_common_rules(verb: clap::Command) -> clap::Command {
    let all: Vec<_> = verb
        .get_arguments()
        .map(|arg| arg.get_id().clone())
        .collect();
    let verb = verb.mut_args(|arg| {
        let takes_value = arg.get_action().takes_values();
        let arg = arg.allow_negative_numbers(takes_value);
        // Clap would refuse the options of all commands as well, and name none.
        match arg.is_exclusive_set() {
            true => {
                let others = all.iter().filter(|id| *id != arg.get_id()).cloned();
                arg.clone().exclusive(false).conflicts_with_all(others)
            }
            false => arg,
        }
    });
    let find = |id: &str| verb.get_arguments().find(|arg| arg.get_id() == id);
    let own = |id: &&str| find(id).is_some_and(|arg| arg.get_default_values().is_empty());
    let written: Vec<&str> = ["out", "picture"].into_iter().filter(own).collect();
    match find("force").is_some() && find("site").is_none() && !written.is_empty() {
        true => verb
            .group(ArgGroup::new("written").args(written).multiple(true))
            .mut_arg("force", |arg| arg.requires("written")),
        false => verb,
    }
}

/// Reads the command line. The help, and the rules of all commands, are made only if the first word
/// names no command, or the words do not fit it.
fn parsed(words: &[OsString]) -> Result<Cli, clap::Error> {
    let first = words.get(1).and_then(|word| word.to_str());
    if let Some(command) = first.and_then(command_with)
        && let Ok(cli) = read(command, words)
    {
        return Ok(cli);
    }
    // The help's colours are set before anything can use them.
    let colour = match asks_for_no_colour(words) {
        true => ColorChoice::Never,
        false => ColorChoice::Auto,
    };
    read(command().color(colour), words)
}

fn read(command: clap::Command, words: &[OsString]) -> Result<Cli, clap::Error> {
    let matches = command.try_get_matches_from(words)?;
    Cli::from_arg_matches(&matches)
}

/// The command line without its help, in which only one command, by its own name, is as in
/// [`command`]: it takes the same words if they begin with that command.
fn command_with(verb: &str) -> Option<clap::Command> {
    let all = Cli::command();
    let is_it = |known: &clap::Command| known.get_name() == verb;
    let found = all.get_subcommands().any(is_it);
    found.then(|| all.mut_subcommand(verb, with_common_rules))
}

fn asks_for_no_colour(words: &[OsString]) -> bool {
    let apart = words
        .windows(2)
        .any(|pair| pair[0] == "--color" && pair[1] == "never");
    apart || words.iter().any(|word| word == "--color=never")
}

impl Verb {
    fn run(&self, stop: &Stop) -> anyhow::Result<u8> {
        match self {
            Self::List(args) => list::run(args),
            Self::Solve(args) => solve::run(args, stop),
            Self::Make(args) => make::run(args, stop),
            Self::Rate(args) => rate::run(args, stop),
            Self::Improve(args) => improve::run(args, stop),
            Self::Table(args) => table::run(args, stop),
            Self::Analyse(args) => analyse::run(args, stop),
            Self::Merge(args) => merge::run(args, stop),
            Self::Plan(args) => plan::run(args),
            Self::Pairs(args) => pairs::run(args, stop),
            Self::Verify(args) => verify::run(args, stop),
            Self::Certify(args) => certify::run(args, stop),
            Self::Permute(args) => permute::run(args),
            Self::Report(args) => report::run(args),
            Self::Bench(args) => bench::run(args, stop),
            Self::Compare(args) => compare::run(args),
            Self::Regress(args) => regress::run(args, stop),
            Self::Referee(args) => referee::run(args, stop),
            Self::Explore(args) => explore::run(args, stop),
            Self::TestPlugin(args) => test_plugin::run(args, stop),
            Self::Completions(args) => shell::completions(args, command()),
            Self::Man(args) => shell::man(args, command()),
        }
    }
}

/// Log lines on stderr: warnings, or the levels in `ANTIPODE_LOG` (`info`,
/// `antipode_search=debug`).
fn start_log() {
    let asked = std::env::var("ANTIPODE_LOG").ok();
    let levels = asked.and_then(|text| text.parse().ok());
    let levels: Targets = levels.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(output::colours(std::io::stderr().is_terminal()))
        // It would panic on a log line if the disk is full.
        .log_internal_errors(false)
        .without_time();
    tracing_subscriber::registry()
        .with(lines)
        .with(levels)
        .init();
}

/// Prints why a command failed, and returns its exit code.
fn failed(error: &anyhow::Error, words: &[OsString]) -> u8 {
    if let Some(supervise::Over(code)) = error.downcast_ref() {
        return *code;
    }
    // Whatever failed then, this is why.
    if let Some(gone) = work::gone() {
        complain(&gone.to_string());
        return NOT_REACHED;
    }
    output::remove_empty_folders();
    let explored = error.downcast_ref::<ExploreError>();
    let of_engine = match explored {
        Some(ExploreError::Engine(error)) => Some(error),
        _ => error.downcast_ref(),
    };
    let line = format!("{error:#}");
    complain(&match of_engine {
        Some(EngineError::Memory(_) | EngineError::Disk(_)) => {
            without_options(&line, |name| takes(words, name))
        }
        _ => line,
    });
    let tested = error.downcast_ref::<SelfTestFailed>();
    if matches!(explored, Some(ExploreError::Disagree(_)))
        || tested.is_some_and(|failed| !failed.by_itself)
        || matches!(error.downcast_ref(), Some(PluginError::Disagree(_)))
    {
        return VERIFICATION_FAILED;
    }
    match of_engine {
        Some(EngineError::Finished(_)) => AS_EXPECTED,
        Some(EngineError::Disagree(_)) => VERIFICATION_FAILED,
        Some(
            EngineError::Peer(_)
            | EngineError::NotAsked(_)
            | EngineError::Plugin(PluginError::Late(_)),
        ) => NOT_REACHED,
        // Limits of a machine or of this version, whichever subcommand reaches them.
        Some(EngineError::Memory(_) | EngineError::Disk(_) | EngineError::TooDeep(_)) => {
            NOT_REACHED
        }
        _ if is_full(error) => NOT_REACHED,
        _ if matches!(error.downcast_ref(), Some(PluginError::Late(_))) => NOT_REACHED,
        // An error after a request to stop results from it.
        _ if error.is::<Stopped>() || error.is::<plan::TooShort>() || supervise::stopping() => {
            NOT_REACHED
        }
        _ => BAD_INPUT,
    }
}

/// Whether a disk, or the share of it that is allowed, was full.
fn is_full(error: &anyhow::Error) -> bool {
    let mut kinds = error.chain().filter_map(|cause| {
        let failed = cause.downcast_ref::<WriteError>();
        let failed = failed.map(WriteError::io_error);
        failed.or(cause.downcast_ref()).map(IoError::kind)
    });
    let full = [
        IoErrorKind::StorageFull,
        IoErrorKind::QuotaExceeded,
        IoErrorKind::FileTooLarge,
    ];
    kinds.any(|kind| full.contains(&kind))
}

/// One line on stderr.
fn complain(line: &str) {
    tell(format_args!("antipode: {line}"));
}

/// The outcome without any arguments: the help, on stderr.
const HELP_INSTEAD: ErrorKind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

/// A usage error without the usage text: the error and the hint, if there is one.
fn one_line(error: &clap::Error, words: &[OsString]) -> String {
    let verb = verb_named(words);
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let hint = likely(error);
    let mut text = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) => {
            unknown_option(verb.as_deref(), option)
        }
        _ if hint.is_some() => text.split("\n\n").next().unwrap_or(text).to_owned(),
        _ => text.replacen("\n\n  tip: ", "; ", 1),
    };
    // Rust's message about a number names neither the allowed values nor the remedy.
    let number = error.source().and_then(|cause| cause.downcast_ref());
    if let Some::<&ParseIntError>(number) = number {
        let remedy = match number.kind() {
            IntErrorKind::PosOverflow => "give a whole number below 2^63",
            _ => "give a whole number from 0 on",
        };
        text = text.replacen(&number.to_string(), remedy, 1);
    }
    let end = ["\nUsage: ", "\nFor more information"];
    let end = end.iter().filter_map(|end| text.find(end)).min();
    let words = text[..end.unwrap_or(text.len())].split_whitespace();
    let help = match verb {
        Some(verb) => format!("antipode {verb} --help"),
        None => "antipode --help".to_owned(),
    };
    format!(
        "{}{} (`{help}` shows all)",
        words.collect::<Vec<_>>().join(" "),
        hint.unwrap_or_default()
    )
}

/// The hint for a name that is none of a list: clap's own suggests names that are not near.
fn likely(error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let command = Cli::command();
    let near = match (error.kind(), error.get(ContextKind::ValidValue)) {
        (ErrorKind::InvalidSubcommand, _) => {
            let names = command.get_subcommands().map(clap::Command::get_name);
            did_you_mean(text(ContextKind::InvalidSubcommand)?, names)
        }
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(names))) => {
            let names = names.iter().map(String::as_str);
            did_you_mean(text(ContextKind::InvalidValue)?, names)
        }
        _ => return None,
    };
    let near = near.trim_end();
    Some(match near {
        "" => String::new(),
        near => format!("; {near}"),
    })
}

/// The error of an option that a command lacks: the commands that have it, else the option that may
/// be meant. Clap's advice, to pass it as a value, is never right here.
fn unknown_option(verb: Option<&str>, option: &str) -> String {
    let name = option.trim_start_matches('-');
    let command = Cli::command();
    let own = verb.and_then(|verb| command.find_subcommand(verb));
    let has = |verb: &&clap::Command| verb.get_arguments().any(|arg| arg.get_long() == Some(name));
    let others: Vec<&str> = (command.get_subcommands().filter(has))
        .map(clap::Command::get_name)
        .collect();
    let near = own.map_or_else(String::new, |own| {
        let known = own.get_arguments().filter_map(clap::Arg::get_long);
        did_you_mean(name, known.chain(["quiet", "color", "help"])).replacen('\'', "'--", 1)
    });
    let who = verb.unwrap_or("antipode without a subcommand");
    let hint = match (others.as_slice(), near.trim_end()) {
        ([], "") => String::new(),
        ([], near) => format!("; {near}"),
        ([one], _) => format!("; {one} has it"),
        ([most @ .., last], _) if most.len() < MANY => {
            format!("; {} and {last} have it", most.join(", "))
        }
        (many, _) => format!("; {} and others have it", many[..MANY].join(", ")),
    };
    format!("{who} has no option '{option}'{hint}")
}

/// More commands with an option are not listed.
const MANY: usize = 5;

/// Whether the command named takes an option.
fn takes(words: &[OsString], option: &str) -> bool {
    let command = Cli::command();
    let verb = verb_named(words).and_then(|verb| command.find_subcommand(verb));
    let mut known = verb.iter().flat_map(|verb| verb.get_arguments());
    known.any(|argument| argument.get_long() == Some(option))
}

/// The command of a command line, by its own name.
fn verb_named(words: &[OsString]) -> Option<String> {
    let command = Cli::command();
    let mut words = words.iter().skip(1);
    let verb = words.find_map(|word| command.find_subcommand(word))?;
    Some(verb.get_name().to_owned())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::{command, command_with, help, one_line, parsed, read};

    /// Words are read as the full command line reads them, or left to it.
    #[test]
    fn a_verb_alone_is_read_as_among_all() {
        let mut lines: Vec<String> = help::EXAMPLES.lines().map(str::to_owned).collect();
        let more = [
            "solve tilt/box --threads 2 --quiet",
            "solve --color never tilt/box --seed 7",
            "analyse tilt/box --set grey=-1 --quiet --color=always",
            "analyse tilt/box --seed -1",
            "analyse tilt/box --bord",
            "solve",
            "list --help",
            "man",
            "list --version",
            "certify --schema --quiet",
        ];
        lines.extend(more.map(|line| format!("antipode {line}")));
        for line in lines {
            let line = line.replace('\'', "");
            let line = line.split(" > ").next().expect("a command");
            let words: Vec<OsString> = line.split_whitespace().map(Into::into).collect();
            let verb = words[1].to_str().expect("a command");
            let alone = read(command_with(verb).expect("a command"), &words);
            match read(command(), &words) {
                Ok(all) => assert_eq!(format!("{:?}", alone.expect(line)), format!("{all:?}")),
                Err(_) => assert!(alone.is_err(), "{line}"),
            }
        }
    }

    /// A board may begin with a dash: a burnt pancake, a car that lies.
    #[test]
    fn boards_may_begin_with_a_dash() {
        let mut boards = 0;
        for verb in command().get_subcommands() {
            let takes = verb.get_arguments().filter(|arg| {
                let long = arg.get_long().unwrap_or_default();
                ["board", "from", "to"].contains(&long)
            });
            for arg in takes {
                let (verb, arg) = (verb.get_name(), (arg, boards += 1).0);
                assert!(arg.is_allow_hyphen_values_set(), "{verb} {arg}");
            }
        }
        assert!(boards > 8, "{boards}");
    }

    /// Whose an unknown option is, or which is meant; what a number is; and the help of the command.
    #[test]
    fn mistakes_are_told_with_a_remedy() {
        let table = "
            solve --bord x => solve has no option '--bord'; did you mean '--board'? (`antipode solve
            bench --effort x => bench has no option '--effort'; verify and certify have it (
            list --board x => '--board'; solve, rate, referee, explore and test-plugin have it (
            list --engine x => '--engine'; solve, make, table, analyse, pairs and others have it (
            bench s.toml --expect 42 => '--expect <TEXT>'
            plan tilt/box --states 5 --max-depth 3 => '--max-depth <N>'
            permute reverse:8 --no-timing --time-limit 5 => '--time-limit <TIME_LIMIT>' (
            permute reverse:8 --time-limit 0 => give seconds above 0, such as 10 or 0.5 (
            permute reverse:8 --force => were not provided: <--out <DIR>> (
            solve tilt/box --force => were not provided: <--out <DIR>|--picture <FILE.svg>> (
            explore tilt/box --seed 5 => were not provided: --at <DISTANCE> (
            explore tilt/box --port 7 --format text => '--port <N>'
            test-plugin f.so --isolate --no-isolate => '--no-isolate'
            test-plugin f.so --no-isolate --time-limit 5 => '--time-limit <SECONDS>'
            certify --template length --format json => '--format <FORMAT>'
            list --rules= => '' for '--rules <COMMAND>': name a program, such as 'python3 lunar.py' (
            list --zzzzz => list has no option '--zzzzz' (
            --quiet analyze x --bord => (`antipode analyse --help` shows all)
            sovle x => (`antipode --help` shows all)
            analyse tilt/box --seed=-1 => for '--seed <SEED>': give a whole number from 0 on (
            analyse tilt/box --seed=x => for '--seed <SEED>': give a whole number from 0 on (
            analyse tilt/box --seed= => for '--seed <SEED>': give a whole number from 0 on (
            analyse tilt/box --seed=1.5 => for '--seed <SEED>': give a whole number from 0 on (
            analyse tilt/box --seed=99999999999999999999 => : give a whole number below 2^63 (
            plan tilt/box --states=99999999999999999999 => : 99999999999999999999 is not in 1..=1152921504606846976 (
            analyse tilt/box --threads 99999999999999999999 => 99999999999999999999 is not in 1..=1024 (";
        for line in table.trim().lines() {
            let (line, told) = line.split_once(" => ").expect("a mistake and its line");
            let words = ["antipode"].into_iter().chain(line.split_whitespace());
            let words: Vec<OsString> = words.map(Into::into).collect();
            let error = parsed(&words).expect_err("a mistake");
            let line = one_line(&error, &words);
            assert!(line.contains(told), "{line}");
        }
    }
}
