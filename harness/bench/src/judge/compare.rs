//! Two rows held against each other: pairs, ratio, interval, and a verdict in two parts.
//!
//! A difference counts where it is significant (Holm-corrected sign-flip test, 0.05) *and*
//! greater than what the machine shows between equals (the noise band). Significance alone is
//! a question of how many samples were taken; the band alone, of luck.

use std::collections::BTreeMap;

use antipode_reports::bench::{Comparison, Measure, Outcome, Sample, Status};

use super::stats::{Side, holm, least_p, summary};

/// Level of significance.
pub const ALPHA: f64 = 0.05;

/// Pairs of two rows: rounds in which both ended with the expected answer.
#[must_use]
pub fn pairs(
    of_a: &[Sample],
    a: &str,
    of_b: &[Sample],
    b: &str,
    measure: Measure,
) -> Vec<(f64, f64)> {
    let sides = Sides {
        of_a,
        a: a.to_owned(),
        of_b,
        b: b.to_owned(),
        metric: String::new(),
        places: None,
    };
    sides.pairs(measure)
}

/// Two rows to compare, with the samples they are found in.
#[derive(Debug, Clone)]
pub struct Sides<'a> {
    /// Samples that hold the first.
    pub of_a: &'a [Sample],
    /// The row compared with.
    pub a: String,
    /// Samples that hold the second.
    pub of_b: &'a [Sample],
    /// The row judged.
    pub b: String,
    /// The measure of imported figures; empty for samples of rows.
    pub metric: String,
    /// Where the samples of both were found, when it is not the same place: then the two are
    /// one row, measured twice.
    pub places: Option<[String; 2]>,
}

impl Sides<'_> {
    /// As [`pairs`].
    #[must_use]
    pub fn pairs(&self, measure: Measure) -> Vec<(f64, f64)> {
        let [a, b] = self.samples().map(|mine| -> BTreeMap<u32, f64> {
            let good = mine.into_iter().filter(|sample| sample.counts());
            let figure = |s: &Sample| match s.imported() {
                true => s.value,
                false => measure.of(s),
            };
            good.filter_map(|s| Some((s.sample, figure(s)?))).collect()
        });
        let both = a.iter().filter_map(|(at, &x)| Some((x, *b.get(at)?)));
        both.collect()
    }

    /// Whether both sides ran the same executable and library. Of rows with a command of their
    /// own samples do not say, and `programs` does.
    pub(super) fn same_program(&self, programs: bool) -> bool {
        let [a, b] = self.samples().map(|mine| mine.first().copied());
        a.zip(b).is_some_and(|(a, b)| match a.engine.as_str() {
            "command" => programs,
            _ => a.build == b.build && a.plugin_digest == b.plugin_digest,
        })
    }

    /// The rows' names, with their places where they have any.
    fn names(&self) -> [String; 2] {
        match &self.places {
            Some([a, b]) => [format!("{} in {a}", self.a), format!("{} in {b}", self.b)],
            None => [self.a.clone(), self.b.clone()],
        }
    }

    /// The samples of both that are measurements of their rows.
    fn samples(&self) -> [Vec<&Sample>; 2] {
        [(self.of_a, &self.a), (self.of_b, &self.b)].map(|(samples, row)| {
            let mine = samples.iter();
            mine.filter(|s| s.row == *row && s.metric == self.metric)
                .collect()
        })
    }

    /// What each row asks, where the two ask different things: by their groups; of one row in
    /// two places, by what it runs on too, since a group is a name that somebody gave it.
    fn questions(&self) -> Option<[String; 2]> {
        let [a, b] = self.samples().map(|mine| mine.first().copied());
        let (a, b) = (a?, b?);
        let group = |sample: &Sample| match sample.group.as_str() {
            "" => sample.question(),
            group => group.to_owned(),
        };
        if group(a) != group(b) {
            return Some([group(a), group(b)]);
        }
        let (a, b) = (a.question(), b.question());
        (self.places.is_some() && a != b).then_some([a, b])
    }

    /// Two good samples that answer the same question differently, as a sentence.
    fn contradiction(&self) -> Option<String> {
        let names = self.names();
        let samples = self.samples();
        let sides = samples.iter().zip(&names);
        let mut answers = sides.flat_map(|(mine, name)| {
            let good = mine.iter().filter(|sample| sample.counts());
            good.map(move |sample| (name, sample.answer.as_str()))
        });
        let (first, answer) = answers.next()?;
        let (other, differs) = answers.find(|(_, other)| *other != answer)?;
        Some(format!(
            "the answers differ: {first} says {answer}, {other} says {differs}"
        ))
    }
}

/// Compares all; the correction is over all that have a probability. `noise` is the upper end
/// of the band, or why there is none.
#[must_use]
pub fn compare(
    all: &[Sides<'_>],
    noise: &Result<f64, String>,
    measure: Measure,
    seed: u64,
) -> Vec<Comparison> {
    let mut found: Vec<Comparison> = all
        .iter()
        .map(|sides| one(sides, noise.as_ref().ok().copied(), measure, seed))
        .collect();
    let tested: Vec<usize> = (0..found.len())
        .filter(|&at| found[at].p.is_some())
        .collect();
    let p: Vec<f64> = tested.iter().filter_map(|&at| found[at].p).collect();
    for (&at, corrected) in tested.iter().zip(holm(&p)) {
        conclude(&mut found[at], corrected, tested.len(), noise);
    }
    found
}

fn one(sides: &Sides<'_>, noise: Option<f64>, measure: Measure, seed: u64) -> Comparison {
    let column = match sides.metric.as_str() {
        "" => measure.column(),
        metric => metric,
    };
    let [a, b] = sides.names();
    let mut found = Comparison::open(a, b, noise, column);
    let ill = ["a", "b"].iter().zip(sides.samples());
    let ill = ill
        .filter_map(|(side, mine)| {
            let (status, why) = unwell(&mine)?;
            Some((status, format!("{side} is {status}: {why}")))
        })
        .next();
    let pairs = sides.pairs(measure);
    found.pairs = pairs.len() as u32;
    // A row that answered wrongly once gets no ratio, however often it was right.
    if let Some((Status::Wrong, why)) = ill {
        (found.verdict, found.detail) = (Outcome::Wrong, why);
        return found;
    }
    if let Some([a, b]) = sides.questions() {
        let what = match sides.places {
            Some(_) => "the row asks another question in each",
            None => "the rows answer different questions",
        };
        let why = format!("{what}, so neither can be the faster: {a}; and {b}");
        add(&mut found.detail, &why);
        return found;
    }
    if let Some(why) = sides.contradiction() {
        (found.verdict, found.detail) = (Outcome::Wrong, why);
        return found;
    }
    match summary(&pairs, seed) {
        Ok(summary) => {
            found.ratio = Some(summary.ratio);
            (found.low, found.high) = (Some(summary.low), Some(summary.high));
            found.won = Some(summary.won);
            found.p = Some(summary.p);
        }
        Err(_) if !sides.metric.is_empty() && pairs.len() == 1 && pairs[0].0 > 0.0 => {
            found.ratio = Some(pairs[0].1 / pairs[0].0);
            found.verdict = Outcome::Undecided;
            add(&mut found.detail, "one figure each, so no interval");
        }
        Err(refusal) => {
            let short = || no_time(sides, measure);
            let why = ill.map(|(_, why)| why).or_else(short);
            add(&mut found.detail, &why.unwrap_or(refusal.to_string()));
        }
    }
    found
}

/// A sample whose time the clock could not tell from 0, as a sentence.
fn no_time(sides: &Sides<'_>, measure: Measure) -> Option<String> {
    let samples = sides.samples();
    let good = samples.iter().flatten().filter(|sample| sample.counts());
    let mut short = good.filter(|sample| measure.of(sample) == Some(0.0));
    let first = short.next()?;
    Some(format!(
        "sample {} of '{}' took {} = 0, too short for the clock, and 0 has no ratio; give the rows more work",
        first.sample,
        first.row,
        measure.column()
    ))
}

/// Puts a sentence behind what a comparison says already.
fn add(detail: &mut String, text: &str) {
    if !detail.is_empty() {
        detail.push_str("; ");
    }
    detail.push_str(text);
}

/// The worst thing that happened to a row.
fn unwell(mine: &[&Sample]) -> Option<(Status, String)> {
    let wrong = mine.iter().find(|s| s.status == Status::Wrong);
    let is_ill = |s: &&&Sample| !matches!(s.status, Status::Ok | Status::Skipped);
    let ill = wrong.or_else(|| mine.iter().find(is_ill));
    ill.map(|s| (s.status, s.detail.clone()))
}

fn conclude(found: &mut Comparison, corrected: f64, tested: usize, noise: &Result<f64, String>) {
    let ratio = found.ratio.unwrap_or(1.0);
    found.p_adjusted = Some(corrected);
    found.significant = corrected <= ALPHA;
    found.beyond_noise = found
        .noise
        .is_some_and(|band| ratio > band || ratio < 1.0 / band);
    let detail = &mut found.detail;
    found.verdict = match (found.significant, noise) {
        (false, _) => {
            let least = least_p(found.pairs as usize, Side::Both) * tested as f64;
            if least > ALPHA {
                let text = format!(
                    "{} pairs are too few for {tested} comparison{} to show anything at {ALPHA}",
                    found.pairs,
                    if tested == 1 { "" } else { "s" }
                );
                add(detail, &text);
            }
            Outcome::Undecided
        }
        (true, Err(_)) => {
            add(detail, "significant, but the noise is not known");
            Outcome::Undecided
        }
        (true, Ok(_)) if !found.beyond_noise => Outcome::WithinNoise,
        _ if ratio < 1.0 => Outcome::Faster,
        _ => Outcome::Slower,
    };
}
