//! The variant under test against `reference`.

use puzzle_api::{Direction, Key};

use super::Checked;
use super::moves::sorted;
use super::report::Verdict;
use super::subject::{Subject, skipped};
use antipode_graph::{Capabilities, Expansion, Graph};
use antipode_search::engines::BATCH;

/// Both variants offer a capability and there are two.
fn rules<K: Key>(subject: &Subject<K>, capability: Capabilities) -> Result<&Graph<K>, Verdict> {
    let Some(rules) = &subject.reference else {
        return Err(skipped("is the reference itself"));
    };
    match subject.graph.has(capability) && rules.has(capability) {
        true => Ok(rules),
        false => Err(skipped("not offered by both variants")),
    }
}

fn neighbours_agree<K: Key>(subject: &Subject<K>, way: Direction, name: &str) -> Checked {
    let capability = match way {
        Direction::Forward => Capabilities::NONE,
        Direction::Backward => Capabilities::PREDECESSORS,
    };
    let rules = match rules(subject, capability) {
        Ok(rules) => rules,
        Err(verdict) => return Ok(verdict),
    };
    let (mut ours, mut theirs) = (Expansion::default(), Expansion::default());
    for batch in subject.states.chunks(BATCH) {
        subject.graph.expand(way, batch, &mut ours)?;
        rules.expand(way, batch, &mut theirs)?;
        for (i, &state) in batch.iter().enumerate() {
            let (ours, theirs) = (ours.others(i, state), theirs.others(i, state));
            let surplus = ours.iter().find(|key| !theirs.contains(key));
            let missing = theirs.iter().find(|key| !ours.contains(key));
            if let Some(&odd) = surplus.or(missing) {
                let which = if surplus.is_some() { "lists" } else { "lacks" };
                let text = format!(
                    "variant {} {which} one of the {name} that the reference {}",
                    subject.graph.opened.variant,
                    if surplus.is_some() {
                        "does not list"
                    } else {
                        "lists"
                    }
                );
                return Ok(subject.failed(text, &[("state", state), ("neighbour", odd)]));
            }
        }
    }
    Ok(subject.passed())
}

/// Both variants have the same successors.
pub(super) fn successors_agree<K: Key>(subject: &Subject<K>) -> Checked {
    neighbours_agree(subject, Direction::Forward, "successors")
}

/// Both variants have the same predecessors.
pub(super) fn predecessors_agree<K: Key>(subject: &Subject<K>) -> Checked {
    neighbours_agree(subject, Direction::Backward, "predecessors")
}

/// Both variants call the same states solved.
pub(super) fn solved_agree<K: Key>(subject: &Subject<K>) -> Checked {
    let rules = match rules(subject, Capabilities::NONE) {
        Ok(rules) => rules,
        Err(verdict) => return Ok(verdict),
    };
    let ours = subject.graph.is_solved(&subject.states)?;
    let theirs = rules.is_solved(&subject.states)?;
    if let Some(i) = (0..ours.len()).find(|&i| ours[i] != theirs[i]) {
        let word = |solved: bool| if solved { "solved" } else { "not solved" };
        let text = format!(
            "{} by this variant, {} by the reference",
            word(ours[i]),
            word(theirs[i])
        );
        return Ok(subject.failed(text, &[("state", subject.states[i])]));
    }
    Ok(subject.passed())
}

/// Both variants choose the same representatives and count the same orbits.
pub(super) fn canonical_agree<K: Key>(subject: &Subject<K>) -> Checked {
    let rules = match rules(subject, Capabilities::SYMMETRY) {
        Ok(rules) => rules,
        Err(verdict) => return Ok(verdict),
    };
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
        return Ok(subject.failed(text, &boards));
    }
    Ok(subject.passed())
}

/// Both variants list the same roots.
pub(super) fn roots_agree<K: Key>(subject: &Subject<K>) -> Checked {
    let rules = match rules(subject, Capabilities::NONE) {
        Ok(rules) => rules,
        Err(verdict) => return Ok(verdict),
    };
    let mut lists = vec![(
        subject.graph.roots(Direction::Forward, 0)?,
        rules.roots(Direction::Forward, 0)?,
    )];
    let listed = Capabilities::SOLVED_ROOTS;
    if subject.graph.has(listed) && rules.has(listed) {
        for part in subject.parts() {
            lists.push((
                subject.graph.roots(Direction::Backward, part)?,
                rules.roots(Direction::Backward, part)?,
            ));
        }
    }
    for (mut ours, mut theirs) in lists {
        // Variants may list a solved state or its representative.
        subject.graph.canonical(&mut ours, None)?;
        subject.graph.canonical(&mut theirs, None)?;
        let (ours, theirs) = (sorted(&ours), sorted(&theirs));
        let surplus = ours.iter().find(|key| theirs.binary_search(key).is_err());
        let missing = theirs.iter().find(|key| ours.binary_search(key).is_err());
        if let Some(&odd) = surplus.or(missing) {
            return Ok(subject.failed("a root of one variant alone", &[("root", odd)]));
        }
    }
    Ok(Verdict::Passed {
        scope: "all roots looked at".into(),
    })
}

/// Both variants draw the same, and read the same key from it.
pub(super) fn drawings_agree<K: Key>(subject: &Subject<K>) -> Checked {
    let rules = match rules(subject, Capabilities::NONE) {
        Ok(rules) => rules,
        Err(verdict) => return Ok(verdict),
    };
    for &state in subject.states.iter().take(10_000) {
        let (ours, theirs) = (subject.graph.draw(state)?, rules.draw(state)?);
        if ours != theirs {
            let text = format!("drawn {ours} here and {theirs} by the reference");
            return Ok(subject.failed(text, &[("state", state)]));
        }
        if rules.parse(&ours).ok() != Some(state) {
            let text = "the reference reads another key from this drawing";
            return Ok(subject.failed(text, &[("state", state)]));
        }
    }
    Ok(subject.passed())
}
