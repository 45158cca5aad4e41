//! Two rows compared: pairs, ratio, interval, and a verdict in two parts.
//!
//! A difference counts if it is significant (Holm-corrected sign-flip test, 0.05) *and* greater
//! than the noise between equals (the noise band). Significance alone depends on the number of
//! samples, the band alone on luck.

use std::collections::BTreeMap;
use std::mem;

use antipode_reports::bench::{Comparison, ComparisonOutcome, Measure, Sample, Status};
use antipode_reports::count;

use super::noise::{Band, changing};
use super::stats::{Tail, holm, least_p, summary};

/// Level of significance.
pub const ALPHA: f64 = 0.05;

/// Two rows to compare, with the samples they are found in.
#[derive(Debug, Clone)]
pub struct Sides<'a> {
    /// Samples with the first.
    pub of_a: &'a [Sample],
    /// The row compared with.
    pub a: String,
    /// Samples with the second.
    pub of_b: &'a [Sample],
    /// The row judged.
    pub b: String,
    /// The measure of imported figures; empty for samples of rows.
    pub metric: String,
    /// The folders of the samples of both, if they differ: then the two are one row, measured
    /// twice.
    pub places: Option<[String; 2]>,
}

impl<'a> Sides<'a> {
    /// Two rows of one table.
    pub fn rows(samples: &'a [Sample], a: impl Into<String>, b: impl Into<String>) -> Self {
        Self {
            of_a: samples,
            a: a.into(),
            of_b: samples,
            b: b.into(),
            metric: String::new(),
            places: None,
        }
    }

    /// Pairs of the two: rounds in which both ended with the expected answer.
    pub fn pairs(&self, measure: Measure) -> Vec<(f64, f64)> {
        let [a, b] = self.samples().map(|mine| -> BTreeMap<u32, f64> {
            let good = mine.into_iter().filter(|sample| sample.counts());
            let figure = |s: &Sample| if s.imported() { s.value } else { measure.of(s) };
            good.filter_map(|s| Some((s.sample, figure(s)?))).collect()
        });
        let both = a.iter().filter_map(|(at, &x)| Some((x, *b.get(at)?)));
        both.collect()
    }

    pub(super) fn writes(&self) -> bool {
        let all = self.samples().into_iter().flatten();
        all.filter_map(|sample| sample.written_bytes)
            .any(|bytes| bytes > 0)
    }

    /// Whether both sides ran the same executable and library. Samples of rows with their own
    /// command do not say; `programs` does.
    pub(super) fn same_program(&self, programs: bool) -> bool {
        let [a, b] = self.samples().map(|mine| mine.first().copied());
        a.zip(b).is_some_and(|(a, b)| match a.engine.as_str() {
            "command" => programs,
            _ => a.build == b.build && a.plugin_digest == b.plugin_digest,
        })
    }

    fn names(&self) -> [String; 2] {
        match &self.places {
            Some([a, b]) => [format!("{} in {a}", self.a), format!("{} in {b}", self.b)],
            None => [self.a.clone(), self.b.clone()],
        }
    }

    /// The samples of both that are measurements of their rows.
    fn samples(&self) -> [Vec<&'a Sample>; 2] {
        [(self.of_a, &self.a), (self.of_b, &self.b)].map(|(samples, row)| {
            let mine = samples.iter();
            mine.filter(|s| s.row == *row && s.metric == self.metric)
                .collect()
        })
    }

    /// The question of each row, if the two differ. Groups decide that; for one row in two places
    /// its input decides too, since a group is only a name.
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

    /// The counters of one row in two places that differ, a clause each, and whether one program
    /// counted both.
    fn counted(&self) -> (bool, Vec<String>) {
        let [a, b] = self.samples().map(|mine| -> Vec<&Sample> {
            mine.into_iter().filter(|sample| sample.counts()).collect()
        });
        let is_one = self.places.is_some() && self.same_program(false);
        let said = (0..4).filter_map(|at| {
            let [before, now] = [&a, &b].map(|mine| Some(mine.first()?.counters()[at]));
            match (before?, now?) {
                _ if is_one => changing(&[&a[..], &b].concat(), at),
                ((name, Some(before)), (_, Some(now))) if before != now => {
                    Some(format!("{name}: {now}, were {before}"))
                }
                _ => None,
            }
        });
        (is_one, said.filter(|_| self.places.is_some()).collect())
    }

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

/// Compares all; the correction is over all that have a probability. `noise` has a band for each.
pub fn compare(all: &[Sides<'_>], noise: &[Band], measure: Measure, seed: u64) -> Vec<Comparison> {
    let both = all.iter().zip(noise);
    let both = both.map(|(sides, band)| one(sides, band.as_ref().ok().copied(), measure, seed));
    let mut found: Vec<Comparison> = both.collect();
    let p: Vec<f64> = found.iter().filter_map(|one| one.p).collect();
    let tested = found
        .iter_mut()
        .zip(noise)
        .filter(|(one, _)| one.p.is_some());
    for ((one, noise), corrected) in tested.zip(holm(&p)) {
        conclude(one, corrected, p.len(), noise);
    }
    for (one, sides) in found.iter_mut().zip(all) {
        let mut said = sides.counted().1;
        if !said.is_empty() && one.verdict != ComparisonOutcome::Wrong {
            said.extend(Some(mem::take(&mut one.detail)).filter(|text| !text.is_empty()));
            one.detail = said.join("; ");
        }
    }
    found
}

fn one(sides: &Sides<'_>, noise: Option<f64>, measure: Measure, seed: u64) -> Comparison {
    let column = match sides.metric.as_str() {
        "" => measure.column(),
        metric => metric,
    };
    let names = sides.names();
    let ill = names.iter().zip(sides.samples());
    let ill = ill.filter_map(|(name, mine)| Some((name, unwell(&mine)?)));
    let ill = ill.min_by_key(|(_, sample)| sample.status);
    let why = ill.map(|(name, sample)| format!("{name}: {}: {}", sample.status, sample.detail));
    let [a, b] = names.clone();
    let mut found = Comparison::open(a, b, noise, column);
    let pairs = sides.pairs(measure);
    found.pairs = pairs.len() as u32;
    // A row that answered wrongly once gets no ratio, however often it was right.
    if ill.is_some_and(|(_, sample)| sample.status == Status::Wrong) {
        (found.verdict, found.detail) = (ComparisonOutcome::Wrong, why.unwrap_or_default());
        return found;
    }
    if let Some([a, b]) = sides.questions() {
        let what = match sides.places {
            Some(_) => "the row asks another question in each",
            None => "the rows answer different questions",
        };
        found.detail = format!("{what}, so neither can be the faster: {a}; and {b}");
        return found;
    }
    if let Some(why) = sides.contradiction() {
        (found.verdict, found.detail) = (ComparisonOutcome::Wrong, why);
        return found;
    }
    if let (true, said) = sides.counted()
        && !said.is_empty()
    {
        (found.verdict, found.detail) = (ComparisonOutcome::Wrong, said.join("; "));
        return found;
    }
    match (summary(&pairs, seed), pairs.as_slice()) {
        (Ok(summary), _) => summary.fill(&mut found),
        (Err(_), &[(a, b)]) if !sides.metric.is_empty() && a > 0.0 && b > 0.0 => {
            found.ratio = Some(b / a);
            found.verdict = ComparisonOutcome::Undecided;
            "one figure each, so no interval".clone_into(&mut found.detail);
        }
        (Err(refusal), _) => {
            let why = why.or_else(|| no_time(sides, measure));
            found.detail = why.unwrap_or(refusal);
        }
    }
    found
}

/// A sample whose time the clock could not distinguish from 0, as a sentence.
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

/// The worst event of a row: a wrong answer, or what ended it.
pub(super) fn unwell<'a>(mine: &[&'a Sample]) -> Option<&'a Sample> {
    let is_ill = |s: &&&Sample| !matches!(s.status, Status::Ok | Status::Skipped);
    mine.iter().filter(is_ill).copied().min_by_key(|s| s.status)
}

fn conclude(found: &mut Comparison, corrected: f64, tested: usize, noise: &Band) {
    let (ratio, pairs) = (found.ratio.unwrap_or(1.0), found.pairs);
    found.p_adjusted = Some(corrected);
    found.significant = corrected <= ALPHA;
    let band = found.noise;
    found.beyond_noise = band.is_some_and(|band| ratio > band || ratio < 1.0 / band);
    found.verdict = match (found.significant, noise) {
        (false, _) => {
            if least_p(pairs as usize, Tail::Both) * tested as f64 > ALPHA {
                let tested = count(tested, "comparisons");
                found.detail =
                    format!("{pairs} pairs are too few for {tested} to show anything at {ALPHA}");
            }
            ComparisonOutcome::Undecided
        }
        (true, Err(why)) => {
            found.detail = format!("significant, but the noise is not known: {why}");
            ComparisonOutcome::Undecided
        }
        (true, Ok(_)) if !found.beyond_noise => ComparisonOutcome::WithinNoise,
        _ if ratio < 1.0 => ComparisonOutcome::Faster,
        _ => ComparisonOutcome::Slower,
    };
}
