//! Which functions an implementation offers, from which traits it implements.
//!
//! [`Detect`] has an associated function for each trait of [`crate::optional`], which fills
//! the members of the table, but only for types that implement the trait; for all others
//! the function of the same name of [`Undetected`] does nothing. A call on a *concrete*
//! type takes the first where there is one. (On a type parameter it would always take the
//! second: so the calls are made by [`crate::puzzle_table!`], where types are spelled out.)

use std::marker::PhantomData;

use super::functions;
use super::values::{ANTIPODE_IS_LAYERED, ANTIPODE_IS_UNDIRECTED};
use super::variant::AntipodeVariant;
use crate::*;

/// Fills in what `P` offers.
#[doc(hidden)]
pub struct Detect<P>(PhantomData<P>);

macro_rules! traits {
    ($($name:ident: $trait:ident $(+ $also:ident)* => { $($member:ident $set:tt $value:expr),+ })+) => {
        $(impl<P: $trait $(+ $also)*> Detect<P> {
            #[doc(hidden)]
            pub fn $name(variant: &mut AntipodeVariant) {
                $(variant.$member $set $value;)+
            }
        })+

        /// Leaves out what is not offered.
        #[doc(hidden)]
        pub trait Undetected {
            $(#[doc(hidden)]
            fn $name(_: &mut AntipodeVariant) {})+
        }
    };
}

traits! {
    add_solved_states: SolvedStates => { solved_states = Some(functions::solved_states::<P>) }
    add_predecessors: Predecessors => { predecessors = Some(functions::predecessors::<P>) }
    add_symmetry: Symmetry => {
        symmetry_count = Some(functions::symmetry_count::<P>),
        images = Some(functions::images::<P>),
        canonical = Some(functions::canonical::<P>)
    }
    add_numbering: Numbering => {
        space = Some(functions::space::<P>),
        place = Some(functions::place::<P>),
        unrank = Some(functions::unrank::<P>)
    }
    add_parts: Parts => {
        part_count = Some(functions::part_count::<P>),
        part_name = Some(functions::part_name::<P>)
    }
    add_neighbour_ranks: NeighbourRanks => { neighbour_ranks = Some(functions::neighbour_ranks::<P>) }
    add_side_by_side: NeighbourKeys => { successors = Some(functions::successors_side_by_side::<P>) }
    add_side_by_side_back: NeighbourKeys + Predecessors => {
        predecessors = Some(functions::predecessors_side_by_side::<P>)
    }
    add_orbits: NeighbourOrbits => { successor_orbits = Some(functions::successor_orbits::<P>) }
    add_orbits_back: NeighbourOrbits + Predecessors => {
        predecessor_orbits = Some(functions::predecessor_orbits::<P>)
    }
    add_pruned: PrunedOrbits => { pruned_successors = Some(functions::pruned_successors::<P>) }
    add_pruned_back: PrunedOrbits + Predecessors + TimeReversal => {
        pruned_predecessors = Some(functions::pruned_predecessors::<P>)
    }
    add_used_moves: UsedMoves => {
        move_groups = Some(functions::move_groups::<P>),
        unused_neighbours = Some(functions::unused_neighbours::<P>)
    }
    add_buckets: Buckets => { bucket = Some(functions::bucket::<P>) }
    add_strata: Strata => { stratum = Some(functions::stratum::<P>) }
    add_random: RandomStates => { random = Some(functions::random::<P>) }
    add_sweep: Sweep => { sweep = Some(functions::sweep::<P>) }
    add_move_names: MoveNames => { describe_move = Some(functions::describe_move::<P>) }
    add_named_states: NamedStates => { names = Some(functions::names::<P>) }
    add_time_reversal: TimeReversal => { time_reversal = Some(functions::time_reversal::<P>) }
    add_move_order: MoveOrder => { move_order = Some(functions::move_order::<P>) }
    add_objective: Objective => { objective = Some(functions::objective::<P>) }
    add_lower_bound: LowerBound => { lower_bound = Some(functions::lower_bound::<P>) }
    add_features: Features => {
        feature_space = Some(functions::feature_space::<P>),
        features = Some(functions::features::<P>)
    }
    add_refute: Refute => { refute = Some(functions::refute::<P>) }
    add_layered: Layered => { facts |= ANTIPODE_IS_LAYERED }
    add_undirected: Undirected => { facts |= ANTIPODE_IS_UNDIRECTED }
}

impl<P> Undetected for Detect<P> {}

/// Every function of [`Detect`], on one type. `tests/optional.rs` shows that none is missing.
#[doc(hidden)]
#[macro_export]
macro_rules! detect {
    ($puzzle:ty, $variant:expr) => {{
        #[allow(unused_imports)]
        use $crate::abi::{Detect, Undetected as _};
        let variant: &mut $crate::abi::AntipodeVariant = $variant;
        Detect::<$puzzle>::add_solved_states(variant);
        Detect::<$puzzle>::add_predecessors(variant);
        Detect::<$puzzle>::add_symmetry(variant);
        Detect::<$puzzle>::add_numbering(variant);
        Detect::<$puzzle>::add_parts(variant);
        Detect::<$puzzle>::add_neighbour_ranks(variant);
        // After those that they take the place of.
        Detect::<$puzzle>::add_side_by_side(variant);
        Detect::<$puzzle>::add_side_by_side_back(variant);
        Detect::<$puzzle>::add_orbits(variant);
        Detect::<$puzzle>::add_orbits_back(variant);
        Detect::<$puzzle>::add_pruned(variant);
        Detect::<$puzzle>::add_pruned_back(variant);
        Detect::<$puzzle>::add_used_moves(variant);
        Detect::<$puzzle>::add_buckets(variant);
        Detect::<$puzzle>::add_strata(variant);
        Detect::<$puzzle>::add_random(variant);
        Detect::<$puzzle>::add_sweep(variant);
        Detect::<$puzzle>::add_move_names(variant);
        Detect::<$puzzle>::add_named_states(variant);
        Detect::<$puzzle>::add_time_reversal(variant);
        Detect::<$puzzle>::add_move_order(variant);
        Detect::<$puzzle>::add_objective(variant);
        Detect::<$puzzle>::add_lower_bound(variant);
        Detect::<$puzzle>::add_features(variant);
        Detect::<$puzzle>::add_refute(variant);
        Detect::<$puzzle>::add_layered(variant);
        Detect::<$puzzle>::add_undirected(variant);
    }};
}
