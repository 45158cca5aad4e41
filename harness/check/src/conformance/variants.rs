//! The variant under test against `reference`.

use puzzle_api::Direction;

use super::subject::{Subject, passed, skipped};
use super::{Checked, Ended};
use antipode_graph::{Capabilities, Expansion, Graph};
use antipode_search::engines::BATCH;
use antipode_search::reconstruct_path::rising;

/// Both variants offer a capability and there are two.
fn rules(subject: &Subject, capability: Capabilities) -> Result<&Graph<u128>, Ended> {
    let why = match &subject.reference {
        Some(rules) if subject.graph.has(capability) && rules.has(capability) => return Ok(rules),
        Some(_) => "not offered by both variants",
        None => "is the reference itself",
    };
    Err(Ended::Verdict(skipped(why)))
}

fn neighbours_agree(subject: &Subject, way: Direction, name: &str) -> Checked {
    let capability = match way {
        Direction::Forward => Capabilities::NONE,
        Direction::Backward => Capabilities::PREDECESSORS,
    };
    let rules = rules(subject, capability)?;
    let (mut ours, mut theirs) = (Expansion::default(), Expansion::default());
    for batch in subject.states.chunks(BATCH) {
        subject.graph.expand(way, batch, &mut ours)?;
        rules.expand(way, batch, &mut theirs)?;
        for (i, &state) in batch.iter().enumerate() {
            let (ours, theirs) = (ours.others(i, state), theirs.others(i, state));
            let surplus = ours.iter().find(|key| !theirs.contains(key));
            let missing = theirs.iter().find(|key| !ours.contains(key));
            if let Some(&odd) = surplus.or(missing) {
                let (ours, theirs) = match surplus.is_some() {
                    true => ("lists", "does not list"),
                    false => ("lacks", "lists"),
                };
                let variant = &subject.graph.opened.variant;
                let text = format!(
                    "variant {variant} {ours} one of the {name} that the reference {theirs}"
                );
                return subject.fail(text, &[("state", state), ("neighbour", odd)]);
            }
        }
    }
    Ok(subject.passed())
}

/// Both variants have the same successors.
pub(super) fn successors(subject: &Subject) -> Checked {
    neighbours_agree(subject, Direction::Forward, "successors")
}

/// Both variants have the same predecessors.
pub(super) fn predecessors(subject: &Subject) -> Checked {
    neighbours_agree(subject, Direction::Backward, "predecessors")
}

/// Both variants call the same states solved.
pub(super) fn solved_agree(subject: &Subject) -> Checked {
    let rules = rules(subject, Capabilities::NONE)?;
    let ours = subject.graph.is_solved(&subject.states)?;
    let theirs = rules.is_solved(&subject.states)?;
    if let Some(i) = (0..ours.len()).find(|&i| ours[i] != theirs[i]) {
        let word = |solved: bool| if solved { "solved" } else { "not solved" };
        let text = format!(
            "{} by this variant, {} by the reference",
            word(ours[i]),
            word(theirs[i])
        );
        return subject.fail(text, &[("state", subject.states[i])]);
    }
    Ok(subject.passed())
}

/// Both variants choose the same representatives and count the same orbits.
pub(super) fn canonical_agree(subject: &Subject) -> Checked {
    let rules = rules(subject, Capabilities::SYMMETRY)?;
    let (mut ours, mut theirs) = (subject.states.clone(), subject.states.clone());
    let (mut our_sizes, mut their_sizes) = (Vec::new(), Vec::new());
    subject.graph.canonical(&mut ours, Some(&mut our_sizes))?;
    rules.canonical(&mut theirs, Some(&mut their_sizes))?;
    let differs = |i: &usize| ours[*i] != theirs[*i] || our_sizes[*i] != their_sizes[*i];
    if let Some(i) = (0..ours.len()).find(differs) {
        let text = format!(
            "the variants differ on canonical state or orbit size ({} here, {} by the reference)",
            our_sizes[i], their_sizes[i]
        );
        let boards = [
            ("state", subject.states[i]),
            ("here", ours[i]),
            ("reference", theirs[i]),
        ];
        return subject.fail(text, &boards);
    }
    Ok(subject.passed())
}

/// Both variants list the same roots.
pub(super) fn roots_agree(subject: &Subject) -> Checked {
    let rules = rules(subject, Capabilities::NONE)?;
    let mut lists = vec![(Direction::Forward, 0)];
    let listed = Capabilities::SOLVED_ROOTS;
    if subject.graph.has(listed) && rules.has(listed) {
        let parts = subject.parts().into_iter();
        lists.extend(parts.map(|part| (Direction::Backward, part)));
    }
    for (way, part) in lists {
        let mut ours = subject.graph.roots(way, part)?;
        let mut theirs = rules.roots(way, part)?;
        // Variants may list a solved state or its representative.
        subject.graph.canonical(&mut ours, None)?;
        subject.graph.canonical(&mut theirs, None)?;
        let (ours, theirs) = (rising(&ours), rising(&theirs));
        let surplus = ours.iter().find(|key| theirs.binary_search(key).is_err());
        let missing = theirs.iter().find(|key| ours.binary_search(key).is_err());
        if let Some(&odd) = surplus.or(missing) {
            return subject.fail("a root of one variant alone", &[("root", odd)]);
        }
    }
    Ok(passed("all roots looked at"))
}

/// Both variants draw the same, and read the same key from it.
pub(super) fn drawings_agree(subject: &Subject) -> Checked {
    let rules = rules(subject, Capabilities::NONE)?;
    for &state in subject.states.iter().take(10_000) {
        let (ours, theirs) = (subject.graph.draw(state)?, rules.draw(state)?);
        if ours != theirs {
            let text = format!("drawn {ours} here and {theirs} by the reference");
            return subject.fail(text, &[("state", state)]);
        }
        if rules.parse(&ours).ok() != Some(state) {
            let text = "the reference reads another key from this drawing";
            return subject.fail(text, &[("state", state)]);
        }
    }
    Ok(subject.passed())
}
