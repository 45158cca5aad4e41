//! Images, representatives and orbit sizes.

use puzzle_api::Direction;

use super::subject::{Subject, skipped};
use super::{Checked, Ended};
use antipode_graph::{Capabilities, Expansion};
use antipode_search::engines::BATCH;
use antipode_search::reconstruct_path::rising;

/// States and their images, as many as fit a batch.
struct Orbits<'a> {
    states: &'a [u128],
    images: Vec<u128>,
    count: usize,
}

impl Orbits<'_> {
    fn of(&self, i: usize) -> &[u128] {
        &self.images[i * self.count..][..self.count]
    }
}

/// Number of images that a check uses: with thousands of symmetries, those of the first states.
const MOST_IMAGES: usize = 1 << 22;

/// Checks the orbits of the states, some at a time.
fn each_batch(
    subject: &Subject,
    mut check: impl FnMut(&Orbits<'_>) -> Result<(), Ended>,
) -> Checked {
    subject.needs(Capabilities::SYMMETRY, "no symmetry")?;
    let count = subject.graph.opened.symmetry_count as usize;
    let most = (MOST_IMAGES / count).max(1).min(subject.states.len());
    for states in subject.states[..most].chunks((BATCH * 4 / count).max(1)) {
        let images = subject.graph.images_of(states)?;
        check(&Orbits {
            states,
            images,
            count,
        })?;
    }
    Ok(subject.passed())
}

/// Symmetry 0 leaves every state as it is.
pub(super) fn identity_comes_first(subject: &Subject) -> Checked {
    each_batch(subject, |orbits| {
        let odd = (0..orbits.states.len()).find(|&i| orbits.of(i)[0] != orbits.states[i]);
        odd.map_or(Ok(()), |i| {
            let pair = [("state", orbits.states[i]), ("image 0", orbits.of(i)[0])];
            subject.fail("image 0 is not the state itself", &pair)
        })
    })
}

/// The representative of a representative is itself.
pub(super) fn canonical_is_idempotent(subject: &Subject) -> Checked {
    each_batch(subject, |orbits| {
        let mut once = orbits.states.to_vec();
        subject.graph.canonical(&mut once, None)?;
        let mut twice = once.clone();
        subject.graph.canonical(&mut twice, None)?;
        let odd = (0..once.len()).find(|&i| once[i] != twice[i]);
        odd.map_or(Ok(()), |i| {
            let boards = [
                ("state", orbits.states[i]),
                ("canonical", once[i]),
                ("canonical again", twice[i]),
            ];
            subject.fail("canonical of canonical differs from canonical", &boards)
        })
    })
}

/// The representative is one of the images.
pub(super) fn canonical_lies_in_orbit(subject: &Subject) -> Checked {
    each_batch(subject, |orbits| {
        let mut chosen = orbits.states.to_vec();
        subject.graph.canonical(&mut chosen, None)?;
        let outside = (0..chosen.len()).find(|&i| !orbits.of(i).contains(&chosen[i]));
        outside.map_or(Ok(()), |i| {
            let pair = [("state", orbits.states[i]), ("canonical", chosen[i])];
            subject.fail("canonical is none of the images of the state", &pair)
        })
    })
}

/// All images of a state have one representative.
pub(super) fn one_canonical(subject: &Subject) -> Checked {
    each_batch(subject, |orbits| {
        let mut chosen = orbits.images.clone();
        subject.graph.canonical(&mut chosen, None)?;
        for (i, chosen) in chosen.chunks_exact(orbits.count).enumerate() {
            if let Some(j) = (1..chosen.len()).find(|&j| chosen[j] != chosen[0]) {
                let boards = [
                    ("state", orbits.states[i]),
                    ("its canonical", chosen[0]),
                    ("image", orbits.of(i)[j]),
                    ("its canonical", chosen[j]),
                ];
                let text = "a state and its image have different canonical states";
                return subject.fail(text, &boards);
            }
        }
        Ok(())
    })
}

/// The orbit size is the number of different images.
pub(super) fn orbit_sizes(subject: &Subject) -> Checked {
    each_batch(subject, |orbits| {
        let (mut states, mut sizes) = (orbits.states.to_vec(), Vec::new());
        subject.graph.canonical(&mut states, Some(&mut sizes))?;
        for (i, size) in sizes.into_iter().enumerate() {
            let images = rising(orbits.of(i)).len();
            if images != size as usize {
                let text = format!("orbit size {size} given, but {images} different images");
                return subject.fail(text, &[("state", orbits.states[i])]);
            }
        }
        Ok(())
    })
}

/// If representatives of neighbours are found in one call, they are the representatives of the
/// neighbours, in their order.
pub(super) fn neighbour_orbits_are_orbits_of_neighbours(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    let mut ways = vec![Direction::Forward, Direction::Backward];
    ways.retain(|&way| graph.finds_orbits(way));
    if ways.is_empty() {
        return Ok(skipped("no representatives of neighbours in one call"));
    }
    let (mut one_by_one, mut at_once) = (Expansion::default(), Expansion::default());
    for way in ways {
        for states in subject.states.chunks(BATCH) {
            graph.expand(way, states, &mut one_by_one)?;
            graph.canonical(one_by_one.keys_mut(), None)?;
            graph.expand_to_orbits(way, states, &mut at_once)?;
            let odd = (0..states.len()).find(|&i| one_by_one.of(i) != at_once.of(i));
            if let Some(i) = odd {
                let text = "representatives of its neighbours in one call are not the representatives of its neighbours";
                return subject.fail(text, &[("state", states[i])]);
            }
        }
    }
    Ok(subject.passed())
}

/// Images of solved states are solved.
pub(super) fn symmetry_keeps_solved(subject: &Subject) -> Checked {
    each_batch(subject, |orbits| {
        let solved = subject.graph.is_solved(&orbits.images)?;
        for (i, solved) in solved.chunks_exact(orbits.count).enumerate() {
            if let Some(j) = solved.iter().position(|&other| other != solved[0]) {
                let pair = [("state", orbits.states[i]), ("image", orbits.of(i)[j])];
                let text = "one of a state and its image is solved, the other is not";
                return subject.fail(text, &pair);
            }
        }
        Ok(())
    })
}

/// The successors of an image are the images of the successors.
pub(super) fn symmetry_keeps_moves(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    let (mut of_state, mut of_images) = (Expansion::default(), Expansion::default());
    each_batch(subject, |orbits| {
        graph.expand(Direction::Forward, orbits.states, &mut of_state)?;
        graph.expand(Direction::Forward, &orbits.images, &mut of_images)?;
        let moved = graph.images_of(of_state.keys())?;
        let mut at = 0;
        for (i, &state) in orbits.states.iter().enumerate() {
            let degree = of_state.of(i).len();
            let moved = &moved[at * orbits.count..(at + degree) * orbits.count];
            at += degree;
            for (j, &image) in orbits.of(i).iter().enumerate() {
                // A move that changes nothing may or may not be listed.
                let others = |keys: Vec<u128>| {
                    let kept: Vec<u128> = keys.into_iter().filter(|&key| key != image).collect();
                    rising(&kept)
                };
                let expected = others(
                    moved
                        .iter()
                        .copied()
                        .skip(j)
                        .step_by(orbits.count)
                        .collect(),
                );
                let found = others(of_images.of(i * orbits.count + j).to_vec());
                if expected != found {
                    let text = format!(
                        "the successors of image {j} are not the images of the successors ({} and {})",
                        found.len(),
                        expected.len()
                    );
                    let pair = [("state", state), ("image", image)];
                    return subject.fail(text, &pair);
                }
            }
        }
        Ok(())
    })
}
