//! Figures that take a walk by levels.

use puzzle_api::{BadInput, Effort, Figure, Parameters};

use super::{bound, depth, explained, instance, not_reached};
use crate::Bits;
use crate::frontier::{Frontier, Tally};

/// Where a walk ends that has found nothing yet.
struct Limits {
    /// Positions of all levels: bounds the time.
    total: u64,
    /// Positions of a level: bounds the memory, at most some 120 bytes each.
    level: u64,
}

impl Limits {
    const fn of(effort: Effort) -> Self {
        match effort {
            Effort::Quick => Self {
                total: 4_000_000,
                level: 200_000,
            },
            Effort::Full => Self {
                total: 1_000_000_000,
                level: 25_000_000,
            },
        }
    }

    /// The same for a walk that need not go beyond a bound, which is worth some more.
    const fn up_to_a_bound(effort: Effort) -> Self {
        match effort {
            Effort::Quick => Self {
                total: 8_000_000,
                level: 800_000,
            },
            Effort::Full => Self::of(effort),
        }
    }

    const fn allow(&self, total: u64, level: u64) -> bool {
        total <= self.total && level <= self.level
    }
}

/// Fewest moves from the start to a solved position, by complete levels. With a bound
/// (`at-most`) that complete levels pass, the claim of it is refuted, and the walk ends.
pub(super) fn length(parameters: &Parameters<'_>, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let bits = Bits::new(instance(parameters)?);
    let bound = bound(parameters, "at-most")?;
    let limits = match bound {
        Some(_) => Limits::up_to_a_bound(effort),
        None => Limits::of(effort),
    };
    let mut frontier = Frontier::new(&bits);
    let mut total = 1;
    loop {
        let (depth, level) = (frontier.depth(), frontier.level().len() as u64);
        if let Some(bound) = bound.filter(|&bound| depth > bound && level > 0) {
            let mut figures = explained(
                format!("more than {bound}"),
                format!(
                    "Complete levels from the start: {total} positions within {depth} moves, and \
                     none within {bound} is solved."
                ),
            );
            figures.push(Figure::new("verdict", "refuted"));
            return Ok(figures);
        }
        if level == 0 {
            return Ok(explained(
                "unsolvable",
                format!("All {total} positions that can be reached, none is solved."),
            ));
        }
        if !limits.allow(total, level) {
            return Ok(not_reached(format!(
                "No solution within {} moves: all {total} positions within {depth} moves were \
                 made, and those nearer than {depth} looked at. A complete search by this effort \
                 ends here.",
                depth - 1
            )));
        }
        let step = frontier.step();
        if step.solved_before > 0 {
            let mut figures = explained(
                depth,
                format!(
                    "Complete levels from the start: {total} positions within {depth} moves, and \
                     none nearer is solved."
                ),
            );
            figures.push(Figure::new("solved_at_that_depth", step.solved_before));
            return Ok(figures);
        }
        total += step.states;
    }
}

/// Sizes of levels, joined by commas.
pub(super) fn levels(parameters: &Parameters<'_>, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let (from, to) = (depth(parameters, "from", 0)?, depth(parameters, "to", 10)?);
    let bits = Bits::new(instance(parameters)?);
    let limits = Limits::of(effort);
    let mut frontier = Frontier::new(&bits);
    let (mut sizes, mut total) = (Vec::new(), 0);
    let (mut before, mut ratio) = (1, 1.0);
    loop {
        let (depth, level) = (frontier.depth(), frontier.level().len() as u64);
        total += level;
        if depth > 0 && level > 0 {
            ratio = level as f64 / before as f64;
        }
        before = level;
        if depth >= from {
            sizes.push(level.to_string());
        }
        if depth >= to {
            return Ok(explained(
                sizes.join(", "),
                format!("Positions at each depth from {from} to {to}."),
            ));
        }
        if !limits.allow(total, level) {
            return Ok(not_reached(format!(
                "The walk by this effort ends at level {depth} with {level} positions ({total} in \
                 all); the last growth was {ratio:.4}."
            )));
        }
        frontier.step();
    }
}

/// What is counted of the neighbours of positions on a range of levels.
pub(super) fn neighbours(
    parameters: &Parameters<'_>,
    effort: Effort,
) -> Result<Vec<Figure>, BadInput> {
    let figure = parameters.one_of(
        "figure",
        &[
            "kept",
            "kept-by-hash",
            "per-new",
            "wasted",
            "old",
            "traffic",
            "disk",
        ],
    )?;
    let bits = Bits::new(instance(parameters)?);
    let (from, to) = match effort {
        Effort::Quick => (31, 45),
        Effort::Full => (41, 60),
    };
    let mut frontier = Frontier::new(&bits);
    let mut sum = Tally::default();
    while frontier.depth() < to && !frontier.level().is_empty() {
        let step = frontier.step();
        if step.depth >= from {
            sum.states += step.states;
            sum.generated += step.generated;
            sum.old += step.old;
            sum.same_bucket += step.same_bucket;
            sum.same_hash += step.same_hash;
        }
    }
    if sum.generated == 0 || sum.states == 0 {
        return Ok(not_reached(format!("The board has no level {from}.")));
    }
    let (generated, states) = (sum.generated as f64, sum.states as f64);
    let left = generated - sum.same_bucket as f64;
    let (value, what) = match figure {
        "kept" => (
            sum.same_bucket as f64 / generated,
            "Share of neighbours with the big pieces in the same order as the position they come \
             from",
        ),
        "kept-by-hash" => (
            sum.same_hash as f64 / generated,
            "Share of neighbours in the same bucket of 8,192 by a uniform hash",
        ),
        "per-new" => (
            generated / states,
            "Neighbours with repetitions for each new position",
        ),
        "wasted" => (
            1.0 - states / generated,
            "Share of neighbours that are no new position, or one once more",
        ),
        "old" => (
            sum.old as f64 / generated,
            "Share of neighbours that lie on the two levels before",
        ),
        "traffic" => (
            generated / left,
            "All neighbours over those that leave their bucket",
        ),
        _ => (
            generated / (states + left),
            "All neighbours over new positions and neighbours that leave their bucket",
        ),
    };
    let mut figures = explained(
        format!("{value:.5}"),
        format!("{what}, on levels {from} to {to}."),
    );
    figures.push(Figure::new("neighbours", sum.generated));
    figures.push(Figure::new("new_positions", sum.states));
    Ok(figures)
}

/// The last level up to which all positions have the big pieces in the order of the start.
pub(super) fn one_bucket(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let bits = Bits::new(instance(parameters)?);
    let limits = Limits::of(Effort::Quick);
    let mut frontier = Frontier::new(&bits);
    let (mut total, mut orders) = (1, 1);
    while orders == 1 {
        let step = frontier.step();
        total += step.states;
        if step.states == 0 || !limits.allow(total, step.states) {
            return Ok(not_reached(format!(
                "All {total} positions looked at are in one bucket."
            )));
        }
        orders = frontier.orders();
    }
    let mut figures = explained(
        frontier.depth() - 1,
        "The last level up to which the big pieces are in the order of the start.",
    );
    figures.push(Figure::new("buckets_on_the_next", orders));
    Ok(figures)
}

/// New positions an hour by a walk in memory on one thread.
pub(super) fn rate(parameters: &Parameters<'_>, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let bits = Bits::new(instance(parameters)?);
    let most = match effort {
        Effort::Quick => 50,
        Effort::Full => 65,
    };
    let mut frontier = Frontier::new(&bits);
    let (clock, mut total) = (std::time::Instant::now(), 0);
    while frontier.depth() < most && !frontier.level().is_empty() {
        total += frontier.step().states;
    }
    let hours = clock.elapsed().as_secs_f64() / 3600.0;
    Ok(explained(
        format!("{:.2}", total as f64 / hours / 1e9),
        format!("Billions of new positions an hour up to level {most}, in memory, on one thread."),
    ))
}

/// All positions that can be reached, and how far the farthest is.
pub(super) fn complete(
    parameters: &Parameters<'_>,
    effort: Effort,
) -> Result<Vec<Figure>, BadInput> {
    let figure = parameters.one_of("figure", &["positions", "greatest"])?;
    let bits = Bits::new(instance(parameters)?);
    let limits = Limits::of(effort);
    let mut frontier = Frontier::new(&bits);
    let mut total = 1;
    while limits.allow(total, frontier.level().len() as u64) {
        let step = frontier.step();
        total += step.states;
        if step.states == 0 {
            let greatest = frontier.depth() - 1;
            let value = if figure == "greatest" {
                u64::from(greatest)
            } else {
                total
            };
            return Ok(explained(
                value,
                format!("{total} positions can be reached, the farthest in {greatest} moves."),
            ));
        }
    }
    Ok(not_reached(format!(
        "More than {total} positions can be reached; the walk by this effort ends at level {}.",
        frontier.depth()
    )))
}
