//! `antipode certify`: re-derives published claims.
//!
//! All claims are read and resolved before the first is run. One that cannot be taken is a row
//! of its own and stops no other; the command then ends with exit code 2.

mod choose;
mod files;
mod show;

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;

use antipode_reports::model::{ClaimResult, NotTaken, Verdict};

use super::options::{EngineName, Format, Plugins, effort};
use super::{
    AS_EXPECTED, BAD_INPUT, NOT_REACHED, UNEXPECTED, VERIFICATION_FAILED, complain, output,
};
use antipode_claims::{
    Case, Claim, ClaimSource, Context, Effort, Judged, Kind as ClaimKind, judge, schema, template,
};
use antipode_search::engine::Kind;
use antipode_search::error::EngineError;
use antipode_search::machine;
use antipode_search::progress::{Stop, note, or_leave};
use antipode_search::registry::EngineId;

use self::choose::{Chosen, Fault, not_taken};
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
    #[arg(long, value_parser = EngineName(&[Kind::Levels, Kind::Path, Kind::Many]))]
    engine: Option<EngineId>,
    /// Worker threads [default: all cores].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
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
///
/// # Errors
/// Bad input, in one line.
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
    let mut files = Files::probe(args, &libraries, &chosen)?;
    let judged = judge_all(&mut chosen, &mut context, &mut files)?;
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
        Format::Text => show::all(&args.out, &judged, &chosen.faults, args.verbose)?,
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

/// The end of a run in which no claim could be taken: the reason was printed in a line for each,
/// and there is no result to write.
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

/// Decides all claims, the cheap ones first, and says each verdict as it falls; a certificate is on
/// the disk by then. They are returned in their own order.
fn judge_all(
    chosen: &mut Chosen,
    context: &mut Context,
    files: &mut Files<'_>,
) -> Result<Vec<Judged>> {
    let mut claims: Vec<_> = chosen.claims().enumerate().collect();
    claims.sort_by_cached_key(|(_, (source, claim))| parts(source, claim));
    let count = claims.len();
    let in_parts =
        |(_, (source, claim)): &(usize, (&ClaimSource, &Claim))| parts(source, claim) > 1;
    let cheap = claims.partition_point(|claim| !in_parts(claim));
    let mut all = Vec::new();
    let mut faults = Vec::new();
    let mut taken = Vec::new();
    for (at, (place, (source, claim))) in (1..).zip(claims) {
        let clock = Instant::now();
        match judge_or_leave(source, claim, context)? {
            Ok(judged) => {
                files.certificate(&judged, context)?;
                taken.push(clock.elapsed());
                say((at, cheap, count), &judged, &taken);
                all.push((place, judged));
            }
            Err(error) => {
                let fault = not_taken(source, claim, &error);
                complain(&format!("claim {at} of {count}: {}", fault.row.fault));
                faults.push(fault);
            }
        }
    }
    chosen.faults.extend(faults);
    all.sort_by_key(|(place, _)| *place);
    Ok(all.into_iter().map(|(_, judged)| judged).collect())
}

/// Parts of the largest instance of a claim: what is walked part by part takes longest.
fn parts(source: &ClaimSource, claim: &Claim) -> u64 {
    let of_case = |case: &Case| {
        let (library, instance) = (source.library.as_ref()?, case.instance.as_ref()?);
        let opened = library.open(instance, &library.variants[0], &case.settings);
        Some(opened.ok()?.part_count)
    };
    claim.cases.iter().filter_map(of_case).max().unwrap_or(1)
}

/// Decides a claim. One that is in hand when a stop is requested, and does not end, is left, and
/// judged as one that was not begun.
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

/// One line of progress for a verdict.
fn say((at, cheap, count): (usize, usize, usize), judged: &Judged, taken: &[Duration]) {
    let odd = match show::remark(judged) {
        "" => String::new(),
        remark => format!(", {remark}"),
    };
    let mut left = match at < cheap {
        true => left(taken, cheap),
        false => String::new(),
    };
    // What is walked part by part says itself how long it takes.
    if cheap < count && !left.is_empty() {
        left += " before whole censuses";
    }
    note(format_args!(
        "claim {at} of {count}: {} {}{odd} ({:.1} s{left})",
        judged.result.id,
        judged.result.verdict,
        taken.last().copied().unwrap_or_default().as_secs_f64(),
    ));
}

/// How long what is left may take, if it takes as long as what is done, by what each took;
/// nothing at the start, if that says little, at the end, and while few others were done
/// next to one that took most of the time.
fn left(taken: &[Duration], all: usize) -> String {
    let (elapsed, done): (Duration, usize) = (taken.iter().sum(), taken.len());
    // One that took most of the time foretells nothing of the others.
    let usual = || taken.iter().filter(|&&one| one * UNUSUAL <= elapsed);
    let (time, claims): (Duration, usize) = (usual().sum(), usual().count());
    let is_early = elapsed < TOO_EARLY || claims < done && claims < all / FEW;
    let left = time.as_secs_f64() / claims.max(1) as f64 * (all - done) as f64;
    match left.round() as u64 {
        _ if is_early || claims == 0 || done == all => String::new(),
        0 => String::new(),
        seconds @ 1..=90 => format!(", about {seconds} s left"),
        seconds @ 91..=5400 => format!(", about {} min left", seconds.div_ceil(60)),
        seconds => format!(", about {:.1} h left", seconds as f64 / 3600.0),
    }
}

/// A claim that took more than one nth of the time so far is unusual.
const UNUSUAL: u32 = 10;
/// One nth of all claims predicts the others.
const FEW: usize = 8;
/// What has run for less foretells nothing.
const TOO_EARLY: Duration = Duration::from_secs(5);

fn exit_code(judged: &[Judged], faults: &[Fault]) -> u8 {
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

/// Claims with the sources that decide them.
fn pairs(all: &[(ClaimSource, Vec<Claim>)]) -> impl Iterator<Item = (&ClaimSource, &Claim)> {
    let claims = |(source, claims)| std::iter::repeat(source).zip(claims);
    all.iter().map(|(s, c)| (s, c)).flat_map(claims)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::left;

    #[test]
    fn time_left_is_told_in_a_unit_that_fits() {
        let each = |seconds: u64, done: u32| Duration::from_secs(seconds) / done;
        let after = |seconds, done: u32| left(&vec![each(seconds, done); done as usize], 193);
        assert_eq!(after(4, 10), "");
        assert_eq!(after(58, 58), ", about 3 min left");
        assert_eq!(after(10, 100), ", about 9 s left");
        assert_eq!(after(3600, 10), ", about 18.3 h left");
        assert_eq!(after(3600, 193), "");
        // One took most of the time, and little is known of the others.
        let mut taken = vec![each(1, 10); 2];
        taken.push(Duration::from_secs(106));
        assert_eq!(left(&taken, 193), "");
        taken.extend(vec![each(1, 10_000); 180]);
        assert_eq!(left(&taken, 193), "");
        assert_eq!(left(&[Duration::from_secs(60)], 193), "");
        let mut taken = vec![each(10, 100); 100];
        taken.push(Duration::from_secs(250));
        assert_eq!(left(&taken, 193), ", about 9 s left");
    }
}
