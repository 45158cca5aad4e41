//! `antipode test-plugin`: does a library keep the contract of the boundary?

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use antipode_claims::{ClaimFile, parse_claims};
use anyhow::{Context, Result, bail};
use puzzle_api::Settings;
use serde_json::json;

use super::options::{Format, program, seconds, settings};
use super::output::told;
use super::{AS_EXPECTED, NOT_REACHED, VERIFICATION_FAILED, names, output, results, supervise};
use antipode_check::conformance::{
    self, CheckAt, Event, Scope, TestFinding, TestPlan, Verdict, isolate,
};
use antipode_graph::{Library, rules};
use antipode_search::progress::Stop;

/// Arguments of `test-plugin`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shared library to test.
    #[arg(required_unless_present = "rules")]
    file: Option<PathBuf>,
    /// A program with a puzzle's rulebook to test; with a file, as its variant `reference`.
    #[arg(long, value_name = "COMMAND", value_parser = program)]
    rules: Option<String>,
    /// An instance to test; may be given several times [default: all]. What is left out is
    /// named first, and the exit code is then 4, not 0.
    #[arg(long, value_name = "INSTANCE")]
    instance: Vec<String>,
    /// A board to look at, of any instance that reads it; may be given several times.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    board: Vec<String>,
    /// A setting of the instances; may be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Seed of the states drawn in instances too large for a check of all states.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Test in a child process, which may crash or hang (the default).
    #[arg(long, conflicts_with = "no_isolate")]
    isolate: bool,
    /// Test without a time limit, for a debugger that follows the child process.
    #[arg(long, conflicts_with = "time_limit")]
    no_isolate: bool,
    /// Processor time that one check may take in the child process; five times as long by the
    /// clock. A check that takes longer is not reached (exit code 4).
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    time_limit: Duration,
    /// Begin after this check of an earlier process: instance, variant, check.
    #[arg(long, hide = true, num_args = 3)]
    after: Vec<String>,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Args {
    /// The subject of the test, as the user named it.
    fn name(&self) -> String {
        match (&self.file, &self.rules) {
            (Some(file), None) => file.display().to_string(),
            (Some(file), Some(rules)) => format!("{} with {rules}", file.display()),
            (None, rules) => rules.clone().unwrap_or_default(),
        }
    }
}

/// Runs the command.
///
/// # Errors
/// A file that is no puzzle library, an unknown instance or setting.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    if args.no_isolate {
        supervise::enter(Duration::MAX)?;
    } else if supervise::is_supervised() {
        child(args, stop);
        return Ok(AS_EXPECTED);
    }
    let mut outcome = TestOutcome::default();
    let text = args.format == Format::Text;
    let mut watch = |event: Event| outcome.take(event, text);
    if args.no_isolate {
        tested(args, stop, &mut watch)?;
        watch(Event::Finished);
    } else {
        let command = |after: Option<&CheckAt>| {
            let mut command = supervise::this_again().map_err(io::Error::other)?;
            if let Some(after) = after {
                command.args(["--after", &after.instance, &after.variant, &after.check]);
            }
            Ok(command)
        };
        isolate::run(
            &command,
            Path::new(&args.name()),
            args.time_limit,
            stop,
            &mut watch,
        )
        .context("cannot run this program again")?;
    }
    if let Some(line) = outcome.refused {
        bail!(line);
    }
    outcome.print(args)?;
    Ok(if outcome.failed() > 0 {
        VERIFICATION_FAILED
    } else if outcome.finished
        && outcome.notes.is_empty()
        && outcome.late() == 0
        && !outcome.nothing_seen()
        && !stop.requested()
    {
        AS_EXPECTED
    } else {
        NOT_REACHED
    })
}

/// The work of the supervised process: writes each event as a line, at once.
fn child(args: &Args, stop: &Stop) {
    let mut write = |event: Event| {
        let line = serde_json::to_string(&event).unwrap_or_default();
        let mut out = results::out();
        if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
            // There is no reader any more.
            stop.request();
        }
    };
    match tested(args, stop, &mut write) {
        Ok(()) => write(Event::Finished),
        Err(error) => write(Event::Refused {
            text: format!("{error:#}"),
        }),
    }
}

/// Runs the tests, and first reports what is left out.
fn tested(args: &Args, stop: &Stop, watch: &mut dyn FnMut(Event)) -> Result<()> {
    supervise::ask_again(args.time_limit);
    let library = Arc::new(rules::reload(
        args.file.as_deref().unwrap_or(Path::new("")),
        args.rules.as_deref().unwrap_or_default(),
    )?);
    let settings = settings(&args.settings)?;
    let instances = instances(args, &library)?;
    let after = match &*args.after {
        [instance, variant, check] => Some(CheckAt {
            instance: instance.clone(),
            variant: variant.clone(),
            check: check.clone(),
        }),
        _ => None,
    };
    if after.is_none()
        && let Some(text) = left_out(&library, &instances)
    {
        watch(Event::Noted { text });
    }
    let plan = TestPlan {
        instances: instances
            .into_iter()
            .map(|name| (name, Settings::clone(&settings)))
            .collect(),
        variants: library.variants.clone(),
        boards: args.board.clone(),
        scope: Scope::thorough(args.seed),
        checks: usize::MAX,
        claims: Some(|file, text| {
            let claims = parse_claims(file, text).and_then(ClaimFile::all);
            claims
                .map(|all| all.len())
                .map_err(|error| error.to_string())
        }),
        after,
    };
    conformance::test(&library, &plan, stop, watch)?;
    Ok(())
}

fn instances(args: &Args, library: &Arc<Library>) -> Result<Vec<String>> {
    if args.instance.is_empty() {
        let known = library.instances.iter().map(|info| info.name.clone());
        return Ok(known.collect());
    }
    for name in &args.instance {
        names::check_instance(library, name)?;
    }
    Ok(args.instance.clone())
}

/// The instances that are not tested.
fn left_out(library: &Library, tested: &[String]) -> Option<String> {
    let all = library.instances.iter().map(|info| info.name.as_str());
    let left: Vec<&str> = all
        .filter(|name| !tested.iter().any(|t| t == name))
        .collect();
    let (many, names) = (left.len(), left.join(", "));
    (many > 0).then(|| format!("{many} of the instances are left out: {names}"))
}

/// The outcome of the test.
#[derive(Default)]
struct TestOutcome {
    findings: Vec<TestFinding>,
    notes: Vec<String>,
    refused: Option<String>,
    finished: bool,
    /// The instance and variant that were printed last.
    heading: (String, String),
    /// Checks that do not apply there, by the reason.
    skipped: BTreeMap<String, Vec<String>>,
}

impl TestOutcome {
    fn take(&mut self, event: Event, print: bool) {
        match event {
            Event::Started { .. } => {}
            Event::Found(finding) => {
                if print {
                    self.print_finding(&finding);
                }
                self.findings.push(finding);
            }
            Event::Refused { text } => self.refused = Some(text),
            Event::Noted { text } => {
                if print {
                    let _ = told!(results::out(), "note: {text}");
                }
                self.notes.push(text);
            }
            Event::Finished => self.finished = true,
        }
    }

    /// Whether an instance had no state to look at.
    fn nothing_seen(&self) -> bool {
        let skipped = |finding: &TestFinding| matches!(finding.verdict, Verdict::Skipped { .. });
        let mut findings = self.findings.iter();
        findings.any(|finding| finding.at.check == conformance::COLLECT && skipped(finding))
    }

    fn late(&self) -> usize {
        let late = |finding: &&TestFinding| matches!(finding.verdict, Verdict::TimedOut { .. });
        self.findings.iter().filter(late).count()
    }

    fn failed(&self) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.failed())
            .count()
    }

    /// A reader that went away is noticed when the summary is printed.
    fn print_finding(&mut self, finding: &TestFinding) {
        let mut out = output::stdout();
        let heading = (finding.at.instance.clone(), finding.at.variant.clone());
        if self.heading != heading {
            self.print_skipped();
            let _ = writeln!(out, "{} {}", heading.0, heading.1);
            self.heading = heading;
        }
        let check = &finding.at.check;
        let (mark, text) = match &finding.verdict {
            Verdict::Passed { scope } => ("ok", scope),
            Verdict::Skipped { why } => {
                let checks = self.skipped.entry(why.clone()).or_default();
                return checks.push(check.clone());
            }
            Verdict::TimedOut { text } => ("late", text),
            Verdict::Failed { text, .. } => ("FAILED", text),
        };
        let line = output::entry(&format!("{mark:7} {check}"), 40, text, 2);
        let _ = writeln!(out, "{line}");
        if let Verdict::Failed { boards, .. } = &finding.verdict {
            for board in boards {
                let _ = writeln!(out, "            {}:", board.role);
                for row in board.state.split('/') {
                    let _ = writeln!(out, "              {row}");
                }
            }
        }
    }

    /// One line per reason.
    fn print_skipped(&mut self) {
        let mut out = output::stdout();
        for (why, checks) in std::mem::take(&mut self.skipped) {
            let _ = told!(out, "  -       {why}: {}", checks.join(", "));
        }
    }

    fn print(&mut self, args: &Args) -> Result<()> {
        self.print_skipped();
        let mut out = output::stdout();
        let (failed, late, total) = (self.failed(), self.late(), self.findings.len());
        if args.format == Format::Json {
            let value = json!({
                "file": args.name(),
                "seed": args.seed,
                "finished": self.finished,
                "failed": failed,
                "timed_out": late,
                "findings": self.findings,
                "notes": self.notes,
            });
            return output::print_json("test-plugin", &value);
        }
        let file = args.name();
        match (failed, self.finished) {
            (0, true) if late > 0 => told!(
                out,
                "{file}: {late} of {total} checks timed out, and no other failed"
            )?,
            (0, true) if self.notes.is_empty() => told!(out, "{file}: no check failed")?,
            (0, true) => told!(out, "{file}: no check failed on what was tested")?,
            (0, false) => told!(out, "{file}: stopped before all checks had run")?,
            (_, true) => told!(out, "{file}: {failed} of {total} checks failed")?,
            (_, false) => told!(
                out,
                "{file}: {failed} of {total} checks failed, and the rest did not run"
            )?,
        }
        Ok(())
    }
}
