//! The verdicts: a row for each claim, or of many claims a row for each puzzle.

use std::io::Write;

use anyhow::Result;
use comfy_table::{Cell, Color};

use antipode_claims::{Effort, Judged};
use antipode_graph::{clean, one_line};
use antipode_reports::model::{Bound, ClaimResult, Origin, Reading, Verdict};
use antipode_reports::{amount, claimed, count, counts_apart, deviation};

use super::Args;
use super::choose::RefusedClaim;
use super::files::{NOT_TAKEN, PAGE};
use crate::output::{self, told};

/// The indent of a reading, which a folded line keeps.
const INDENT: &str = "\u{a0}\u{a0}";

/// Most readings shown of one claim; the certificate has all.
const MOST_READINGS: usize = 8;

/// Most checks shown one by one; of more, only those that failed.
const MOST_CHECKS: usize = 12;

/// Most characters of a figure: three lines of a column.
const LONGEST_FIGURE: usize = 90;

/// More claims than these have a row for each puzzle alone.
const MOST_ROWS: usize = 40;

/// Prints the verdicts, the checks and the summary; `--verbose` has a row for each claim.
pub(super) fn all(args: &Args, judged: &[Judged], faults: &[RefusedClaim]) -> Result<()> {
    let many = judged.len() > MOST_ROWS && !args.verbose;
    match many {
        true => by_puzzle(judged)?,
        false => by_claim(judged, faults)?,
    }
    checks(judged)?;
    let of = |verdicts: &'static [Verdict]| {
        let all = judged.iter();
        all.filter(move |one| verdicts.contains(&one.result.verdict))
    };
    let (of_text, refuted): (Vec<&Judged>, Vec<&Judged>) =
        of(&[Verdict::Refuted, Verdict::RefutedBySample])
            .partition(|one| one.result.refutes_text_at_hand());
    let own_text = "refuted as printed in our copy; the original was not seen";
    listed("refuted", refuted, many)?;
    listed(own_text, of_text, many)?;
    let odd: Vec<&Judged> = judged.iter().filter(|judged| !judged.as_expected).collect();
    let brief = odd.len() > MOST_ROWS;
    listed("not as expected", odd, brief)?;
    let mut out = output::stdout();
    if many {
        let ids = of(&[Verdict::Ambiguous]).map(|one| &*one.result.id);
        let ids = ids.collect::<Vec<_>>().join(", ");
        if !ids.is_empty() {
            told!(out, "ambiguous: {ids}")?;
        }
    }
    told!(out, "{}", summary(judged, faults))?;
    if many {
        let folder = output::shown(&args.out);
        let full = match args.effort {
            Effort::Quick => " --effort full,",
            Effort::Full => "",
        };
        told!(
            out,
            "next: --verbose (every claim),{full} `antipode report {folder} --site public`"
        )?;
    }
    writeln!(out, "page: {}", output::shown(&args.out.join(PAGE)))?;
    Ok(())
}

/// The number of claims of each puzzle by verdict, a line each.
fn by_puzzle(judged: &[Judged]) -> Result<()> {
    let results: Vec<&ClaimResult> = judged.iter().map(|one| &one.result).collect();
    let mut puzzles: Vec<&str> = results.iter().map(|result| &*result.puzzle).collect();
    puzzles.sort_unstable();
    puzzles.dedup();
    for puzzle in puzzles {
        let of = results.iter().filter(|result| result.puzzle == puzzle);
        let text = counts(&of.copied().collect::<Vec<_>>());
        writeln!(output::stdout(), "{}", output::entry(puzzle, 15, &text, 0))?;
    }
    Ok(())
}

/// A row for each claim and reading.
fn by_claim(judged: &[Judged], faults: &[RefusedClaim]) -> Result<()> {
    let mut table = output::table(&["claim", "claimed", "found", "verdict", ""]);
    let mut row = |name: &str, figures: ShownFigures, verdict: Cell, remark: &str| {
        let texts = [name, &figures.claimed, &figures.found];
        let cells = texts.map(|text| Cell::new(clean(text))).into_iter();
        table.add_row(cells.chain([verdict, Cell::new(remark)]));
    };
    for judged in judged {
        let result = &judged.result;
        let readings = match result.readings.len() {
            0..=MOST_READINGS => result.readings.as_slice(),
            _ => &[],
        };
        // With readings, each figure is under its label, and not in one row.
        let figures = match readings {
            [] => ShownFigures::of(result),
            _ => ShownFigures::default(),
        };
        row(&result.id, figures, verdict(result.verdict), remark(judged));
        for reading in readings {
            let figures = ShownFigures::of_reading(result, reading);
            let name = format!("{INDENT}reading: {}", reading.name);
            row(&name, figures, verdict(reading.verdict), "");
        }
    }
    for fault in faults {
        let not_taken = Cell::new("not taken").fg(Color::Red);
        // The line with the reason went to stderr at once, and is printed only once.
        let see = format!("see {NOT_TAKEN}");
        row(&fault.shown, ShownFigures::default(), not_taken, &see);
    }
    // Its cells are clean, and the terminal is to interpret its colours.
    writeln!(crate::results::out(), "{}", output::wrapped(&mut table))?;
    Ok(())
}

/// The checks of runs: each once, or only those that failed if there are many.
fn checks(judged: &[Judged]) -> Result<()> {
    let mut out = output::stdout();
    let mut all: Vec<(String, bool)> = Vec::new();
    for evidence in judged.iter().flat_map(|j| &j.result.evidence) {
        let line = (output::check_line(evidence), evidence.wrong > 0);
        if !all.contains(&line) {
            all.push(line);
        }
    }
    let many = all.len() > MOST_CHECKS;
    for (line, _) in all.iter().filter(|(_, failed)| *failed || !many) {
        writeln!(out, "{}", output::prose(line, 0))?;
    }
    if many {
        let failed = match all.iter().filter(|(_, failed)| *failed).count() {
            0 => "none failed".to_owned(),
            failed => format!("{failed} failed"),
        };
        let all = count(all.len(), "checks");
        told!(
            out,
            "{all}, {failed}; the page and the certificates have all"
        )?;
    }
    Ok(())
}

/// Claims of first interest, a line each; `brief` leaves out their statements.
fn listed(heading: &str, all: Vec<&Judged>, brief: bool) -> Result<()> {
    let mut out = output::stdout();
    if !all.is_empty() {
        writeln!(out, "{heading}:")?;
    }
    for judged in all {
        let result = &judged.result;
        let ShownFigures { claimed, found } = ShownFigures::of(result);
        let figures = match (claimed.is_empty(), found.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!(", found {found}"),
            (false, true) => format!(", claimed {claimed}"),
            (false, false) => format!(", claimed {claimed}, found {found}"),
        };
        if brief {
            let line = format!("  {}{figures}", result.id);
            writeln!(out, "{}", output::cut(&one_line(&line)))?;
            continue;
        }
        let label = result.verdict.label();
        // A reading without an answer gives the reason; the last note says which part is unexpected.
        let odd = !judged.as_expected && result.verdict == result.expect;
        let why = match result.verdict {
            _ if odd => result.notes.last(),
            Verdict::NotReached => result.notes.first(),
            _ => None,
        };
        let why = why.map_or(String::new(), |why| {
            format!(" ({})", counts_apart(why.trim_end_matches('.')))
        });
        let line = format!("{}: {label}{why}{figures}: {}", result.id, result.statement);
        writeln!(out, "{}", output::prose(&one_line(&line), 2))?;
    }
    Ok(())
}

fn verdict(verdict: Verdict) -> Cell {
    Cell::new(verdict.label()).fg(colour(verdict))
}

/// Both figures for people, each with its unit.
#[derive(Default)]
struct ShownFigures {
    /// The published figure, with how it bounds the other.
    claimed: String,
    /// The figure found, with its difference from the other.
    found: String,
}

impl ShownFigures {
    fn of(result: &ClaimResult) -> Self {
        let unit = result.unit_shown(&result.unit);
        Self::new(&result.claimed, result.bound, &result.found, unit)
    }

    fn of_reading(result: &ClaimResult, reading: &Reading) -> Self {
        let unit = result.unit_shown(&reading.unit);
        Self::new(&reading.claimed, reading.bound, &reading.found, unit)
    }

    fn new(published: &str, bound: Option<Bound>, found: &str, unit: &str) -> Self {
        let shown = cut(amount(found, unit));
        Self {
            claimed: cut(claimed(published, bound, unit)),
            found: match deviation(published, bound, found) {
                Some(off) => format!("{shown} ({off})"),
                None => shown,
            },
        }
    }
}

/// A figure; of a long list of them, the first.
fn cut(whole: String) -> String {
    match whole.char_indices().nth(LONGEST_FIGURE) {
        Some((end, _)) => {
            let cut = whole[..end].rfind(", ").unwrap_or(end);
            format!("{}, …", &whole[..cut])
        }
        None => whole,
    }
}

const fn colour(verdict: Verdict) -> Color {
    match verdict {
        Verdict::Confirmed | Verdict::ConfirmedBySample => Color::Green,
        Verdict::Refuted | Verdict::RefutedBySample => Color::Red,
        Verdict::Ambiguous | Verdict::NotReached => Color::Yellow,
        Verdict::Reported => Color::Reset,
    }
}

pub(super) fn remark(judged: &Judged) -> &'static str {
    if judged.disagreement {
        "OUR DERIVATIONS DISAGREE"
    } else if !judged.as_expected {
        "not as expected"
    } else if judged.result.refutes_text_at_hand() {
        "our copy"
    } else if judged.result.origin == Origin::Ours {
        "our own"
    } else {
        ""
    }
}

fn summary(judged: &[Judged], faults: &[RefusedClaim]) -> String {
    let of = |origin| {
        let all = judged.iter().map(|judged| &judged.result);
        let all: Vec<&ClaimResult> = all.filter(|claim| claim.origin == origin).collect();
        all
    };
    let (published, ours) = (of(Origin::Published), of(Origin::Ours));
    let mut sums = Vec::new();
    if !published.is_empty() {
        let claims = count(published.len(), "claims");
        sums.push(format!("{claims}: {}", counts(&published)));
    }
    if !ours.is_empty() {
        sums.push(format!("{} of our own: {}", ours.len(), counts(&ours)));
    }
    let odd = judged.iter().filter(|j| !j.as_expected).count();
    let expected = match odd {
        0 => "all as expected".into(),
        n => format!("{n} not as expected"),
    };
    let not_taken = match faults.len() {
        0 => String::new(),
        n => format!("; {n} not taken"),
    };
    match judged.is_empty() {
        true => format!("{} not taken", faults.len()),
        false => format!("{}; {expected}{not_taken}", sums.join("; ")),
    }
}

/// The number of claims by verdict.
fn counts(claims: &[&ClaimResult]) -> String {
    let at_hand = claims.iter().filter(|claim| claim.refutes_text_at_hand());
    let at_hand = at_hand.count();
    let number = |verdict| {
        let others = claims.iter().filter(|claim| !claim.refutes_text_at_hand());
        others.filter(|claim| claim.verdict == verdict).count()
    };
    let counts = Verdict::ALL.map(|verdict| (number(verdict), verdict.label()));
    let counts = counts
        .into_iter()
        .chain([(at_hand, "refuted as printed in our copy".to_owned())]);
    let counts = counts.filter(|(n, _)| *n > 0);
    let counts: Vec<String> = counts.map(|(n, label)| format!("{n} {label}")).collect();
    counts.join(", ")
}
