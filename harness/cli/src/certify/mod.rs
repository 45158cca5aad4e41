//! `antipode certify`: re-derives published claims.
//!
//! All claims are read and resolved before the first is run. An invalid claim is a row of its own
//! and stops no other; the command then ends with exit code 2.

mod choose;
mod files;
mod show;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use antipode_check::analysis::numbered_states;
use antipode_check::verify::ConsistencyScope;
use antipode_reports::model::{ClaimResult, NotTaken, Verdict};

use super::options::{Format, Plugins, effort, engine, whole};
use super::{
    AS_EXPECTED, BAD_INPUT, NOT_REACHED, UNEXPECTED, VERIFICATION_FAILED, complain, output,
};
use antipode_claims::{
    Claim, ClaimKind, ClaimSource, Context, Effort, Judged, Unfit, consistency, judge, schema,
    template,
};
use antipode_search::engine::QuestionKind;
use antipode_search::error::EngineError;
use antipode_search::machine;
use antipode_search::progress::{Stop, duration, note, or_leave, then};
use antipode_search::registry::EngineId;
use puzzle_api::Settings;

use self::choose::{Chosen, RefusedClaim, not_taken};
use self::files::Files;

/// Arguments of `certify`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Puzzles, or ids of claims [default: all].
    #[arg(value_name = "PUZZLE|CLAIM-ID")]
    names: Vec<String>,
    /// `quick` samples whatever takes long, `full` proves it.
    #[arg(long, value_parser = effort(), default_value = "quick")]
    effort: Effort,
    /// Folder for the page, the tables and the certificates.
    #[arg(long, value_name = "DIR", default_value = "antipode-out")]
    out: PathBuf,
    /// A file of claims to use instead of the puzzles' own; its first line is `puzzle = "NAME"`.
    /// May be given several times.
    #[arg(long, value_name = "FILE")]
    claims: Vec<PathBuf>,
    /// Prints a file with a claim of this kind that runs, with every key explained.
    #[arg(long, value_name = "KIND", value_parser = claim_kind(), exclusive = true)]
    template: Option<String>,
    /// Prints the JSON Schema of claims files, for editors.
    #[arg(long, exclusive = true)]
    schema: bool,
    /// Search strategy for what it answers, levels or paths [default: as each puzzle and
    /// question prefers].
    #[arg(long, value_parser = engine(&[QuestionKind::Levels, QuestionKind::Path, QuestionKind::Many]))]
    engine: Option<EngineId>,
    /// Worker threads [default: all cores].
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Seed of all sampling.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Resume a stopped run with the same --out.
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    force: output::Force,
    /// Prints a row for each claim, however many there are.
    #[arg(long)]
    verbose: bool,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    plugins: Plugins,
}

const AFTER_HELP: &str = "\
Your own claim in five minutes (docs/your-claim.md):
  antipode certify --template length > my.toml
  antipode certify --claims my.toml --out my-claim";

/// Names of the kinds of claims, as an option takes them.
fn claim_kind() -> clap::builder::PossibleValuesParser {
    let names = ClaimKind::ALL.map(ClaimKind::name);
    clap::builder::PossibleValuesParser::new(names)
}

impl Args {
    /// Whether a claim is left to full effort.
    fn skips(&self, claim: &Claim) -> bool {
        claim.full_only && self.effort == Effort::Quick
    }
}

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    if let Some(kind) = &args.template {
        write!(
            output::stdout(),
            "{}",
            template(kind).map_err(anyhow::Error::msg)?
        )?;
        return Ok(AS_EXPECTED);
    }
    if args.schema {
        writeln!(output::stdout(), "{:#}", schema())?;
        return Ok(AS_EXPECTED);
    }
    let libraries = args.plugins.libraries()?;
    if args.effort == Effort::Full {
        antipode_check::again::ask_all();
    }
    let mut chosen = choose::choose(args, &libraries)?;
    let threads = args.threads.map_or_else(machine::cores, usize::from);
    let mut context = Context::new(args.effort, args.seed, threads, stop.clone());
    context.out = Some(args.out.clone());
    context.resume = args.resume;
    context.engine = args.engine;
    context.command = machine::command_line();
    context.show_progress = true;
    chosen.resolve(args, &context);
    for fault in &chosen.faults {
        complain(&fault.row.fault);
    }
    if chosen.claims().next().is_none() {
        return nothing_taken(args, &chosen);
    }
    if let Some(engine) = args.engine {
        let cases = chosen.claims().flat_map(|(_, claim)| &claim.cases);
        let mut asked = cases.flat_map(|case| case.kind.asks(case));
        if !asked.any(|&kind| engine.answers(kind)) {
            bail!("--engine {engine}: none of these claims asks what it answers; leave it out");
        }
    }
    let mut files = Files::probe(args, &libraries, &chosen)?;
    let judged = judge_all(args, &mut chosen, &mut context, &mut files)?;
    if judged.is_empty() {
        return nothing_taken(args, &chosen);
    }
    let not_taken = chosen.not_taken();
    files.write_all(args, &context, &judged, &not_taken)?;
    for analysis in context.analyses() {
        analysis.clear_kept()?;
    }
    let code = exit_code(&judged, &chosen.faults);
    match args.format {
        Format::Text => show::all(args, &judged, &chosen.faults)?,
        Format::Json => {
            let results: Vec<&ClaimResult> = judged.iter().map(|j| &j.result).collect();
            print_json(&results, &not_taken, code)?;
        }
    }
    if context.stop.requested() {
        note("stopped; rerun with --resume to continue");
    }
    Ok(code)
}

/// The end of a run without a valid claim: the reason was printed in a line for each, and there is
/// no result to write.
fn nothing_taken(args: &Args, chosen: &Chosen) -> Result<u8> {
    if matches!(args.format, Format::Json) {
        print_json(&[], &chosen.not_taken(), BAD_INPUT)?;
    }
    Ok(BAD_INPUT)
}

fn print_json(results: &[&ClaimResult], faults: &[NotTaken], code: u8) -> Result<()> {
    let value = serde_json::json!({ "claims": results, "faults": faults, "exit": code });
    output::print_json("certify", &value)
}

/// Decides all claims, the cheap ones first, and prints each verdict at once; its certificate is on
/// the disk by then. Verdicts are returned in their original order.
fn judge_all(
    args: &Args,
    chosen: &mut Chosen,
    context: &mut Context,
    files: &mut Files<'_>,
) -> Result<Vec<Judged>> {
    // Counting the states of a census takes seconds. Claims that search none come before.
    let searches = |(_, (_, claim)): &(usize, (&ClaimSource, &Claim))| {
        Chosen::analysed(args, claim).next().is_some()
    };
    let mut claims: Vec<_> = chosen.claims().enumerate().collect();
    claims.sort_by_cached_key(searches);
    let (count, first) = (
        claims.len(),
        claims.partition_point(|claim| !searches(claim)),
    );
    let mut states = vec![LARGE; count];
    states[..first].fill(0);
    let mut all = Vec::new();
    let mut faults = Vec::new();
    let start = Instant::now();
    for at in 1..=count {
        if at == first + 1 {
            states[first..].copy_from_slice(&in_order(args, &mut claims[first..]));
        }
        let (place, (source, claim)) = claims[at - 1];
        let clock = Instant::now();
        let before = left(start.elapsed(), &states[..at - 1], &states[at..]);
        then(before.unwrap_or_default());
        match judge_or_leave(source, claim, context)? {
            Ok(judged) => {
                files.certificate(&judged, context)?;
                let left = left(start.elapsed(), &states[..at], &states[at..]);
                say((at, count), &judged, clock.elapsed(), left);
                all.push((place, judged));
            }
            Err(error) => {
                let fault = Unfit {
                    at: claim.at,
                    error,
                };
                let fault = not_taken(source, claim, &[fault]);
                complain(&format!("claim {at} of {count}: {}", fault.row.fault));
                faults.push(fault);
            }
        }
    }
    chosen.faults.extend(faults);
    all.sort_by_key(|(place, _)| *place);
    Ok(all.into_iter().map(|(_, judged)| judged).collect())
}

/// Sorts claims that search, the cheap ones first; returns how many states each searches.
fn in_order(args: &Args, claims: &mut [(usize, (&ClaimSource, &Claim))]) -> Vec<u64> {
    let mut states = BTreeMap::new();
    for &(_, (source, claim)) in &*claims {
        for instance in Chosen::analysed(args, claim) {
            let asked = || asked(args, source, instance);
            states.entry((&source.name, instance)).or_insert_with(asked);
        }
    }
    // The smallest of the large claims comes first: it shows how long states take.
    let least = states.values().copied().filter(|&all| all >= LARGE).min();
    claims.sort_by_cached_key(|&(_, (source, claim))| {
        let instances = Chosen::analysed(args, claim);
        let largest = instances
            .map(|instance| states[&(&source.name, instance)])
            .max();
        match largest.filter(|&all| all >= LARGE) {
            Some(all) if largest != least => all,
            large => u64::from(large.is_none()),
        }
    });
    // The first claim about an instance starts its search.
    let own = claims.iter().map(|&(_, (source, claim))| {
        let instances = Chosen::analysed(args, claim);
        let states = instances.filter_map(|instance| states.remove(&(&source.name, instance)));
        states.fold(0, u64::saturating_add)
    });
    own.collect()
}

/// Number of states of an instance at which the rulebook is called; states that only an engine
/// visits count by the time that they take.
fn asked(args: &Args, source: &ClaimSource, instance: &str) -> u64 {
    let library = source.library.as_ref();
    let states = library.map(|library| numbered_states(library, instance, &Settings::new()));
    let states = states.and_then(Result::ok).unwrap_or(0);
    match consistency(args.effort, args.seed, states) {
        ConsistencyScope::All => states,
        _ => states / AS_LONG,
    }
}

/// Decides a claim. A claim that is running when a stop is requested, and does not end, is
/// abandoned and judged as if it had not begun.
fn judge_or_leave(
    source: &ClaimSource,
    claim: &Claim,
    context: &mut Context,
) -> Result<Result<Judged, EngineError>> {
    if !context.stop.requested() {
        let (source, claim, mut own) = (source.clone(), claim.clone(), context.clone());
        let work = move || (judge(&source, &claim, &mut own), own);
        if let Some((judged, own)) = or_leave(&context.stop, work)? {
            *context = own;
            return Ok(judged);
        }
    }
    Ok(judge(source, claim, context))
}

/// One line of progress for a verdict, within 80 columns.
fn say((at, count): (usize, usize), judged: &Judged, taken: Duration, left: Option<Duration>) {
    let left = left.map_or(String::new(), |left| {
        format!(", {} left", duration(left.as_secs_f64()))
    });
    let odd = match judged.disagreement || !judged.as_expected {
        true => format!(", {}", show::remark(judged)),
        false => String::new(),
    };
    let taken = match taken.as_secs() {
        0 => String::new(),
        _ => format!(" ({:.1} s)", taken.as_secs_f64()),
    };
    note(format_args!(
        "{at}/{count}{left}: {} {}{odd}{taken}",
        judged.result.id, judged.result.verdict,
    ));
}

/// Estimates how long the rest takes, by the states that claims search; `None` at the start and at
/// the end. Claims that search few take about as long as [`LARGE`] states.
fn left(taken: Duration, done: &[u64], rest: &[u64]) -> Option<Duration> {
    if taken < TOO_EARLY || done.is_empty() {
        return None;
    }
    let sum = |all: &[u64]| -> f64 { all.iter().map(|&states| states.max(LARGE) as f64).sum() };
    let left = taken.as_secs_f64() * sum(rest) / sum(done);
    let left = Duration::try_from_secs_f64(left).ok();
    left.filter(|left| left.as_secs() > 0)
}

/// A shorter run predicts nothing.
const TOO_EARLY: Duration = Duration::from_secs(5);
/// Above this number of states, the time depends on it.
const LARGE: u64 = 100_000;
/// States that an engine visits while the rulebook answers for one.
const AS_LONG: u64 = 400;

fn exit_code(judged: &[Judged], faults: &[RefusedClaim]) -> u8 {
    let unexpected = |j: &&Judged| !j.as_expected;
    if judged.iter().any(|j| j.disagreement) {
        VERIFICATION_FAILED
    } else if !faults.is_empty() {
        BAD_INPUT
    } else if judged
        .iter()
        .filter(unexpected)
        .any(|j| j.result.verdict != Verdict::NotReached)
    {
        UNEXPECTED
    } else if judged.iter().any(|j| !j.as_expected) {
        NOT_REACHED
    } else {
        AS_EXPECTED
    }
}

/// Claims with the sources of the modules that decide them.
fn pairs(all: &[(ClaimSource, Vec<Claim>)]) -> impl Iterator<Item = (&ClaimSource, &Claim)> {
    let claims = |(source, claims)| std::iter::repeat(source).zip(claims);
    all.iter().map(|(s, c)| (s, c)).flat_map(claims)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{LARGE, left};

    #[test]
    fn time_left_is_by_states() {
        let after = |taken, done: &[u64], rest: &[u64]| {
            left(Duration::from_secs(taken), done, rest).map(|left| left.as_secs())
        };
        assert_eq!(after(4, &[0; 10], &[0; 183]), None);
        assert_eq!(after(58, &[0; 58], &[0; 135]), Some(135));
        assert_eq!(after(60, &[0, LARGE], &[20 * LARGE]), Some(600));
        assert_eq!(after(60, &[0], &[u64::MAX; 1 << 12]), None);
        assert_eq!(after(3600, &[0; 9], &[]), None);
    }
}
