//! Which functions an implementation offers, from which traits it implements.
//!
//! [`Detect`] has an associated function for each trait of [`crate::offers`], which fills
//! the members of the table, but only for types that implement the trait; for all others
//! the function of the same name of [`Undetected`] does nothing. A call on a *concrete*
//! type takes the first where there is one. (On a type parameter it would always take the
//! second: so the calls are made by [`crate::puzzle_table!`], where types are spelled out.)

use std::marker::PhantomData;

use super::calls;
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
    solved_states: SolvedStates => { solved_states = Some(calls::solved_states::<P>) }
    predecessors: Predecessors => { predecessors = Some(calls::predecessors::<P>) }
    symmetry: Symmetry => {
        symmetry_count = Some(calls::symmetry_count::<P>),
        images = Some(calls::images::<P>),
        canonical = Some(calls::canonical::<P>)
    }
    numbering: Numbering => {
        space = Some(calls::space::<P>),
        place = Some(calls::place::<P>),
        unrank = Some(calls::unrank::<P>)
    }
    parts: Parts => {
        part_count = Some(calls::part_count::<P>),
        part_name = Some(calls::part_name::<P>)
    }
    neighbour_ranks: NeighbourRanks => { neighbour_ranks = Some(calls::neighbour_ranks::<P>) }
    side_by_side: NeighbourKeys => { successors = Some(calls::successors_side_by_side::<P>) }
    side_by_side_back: NeighbourKeys + Predecessors => {
        predecessors = Some(calls::predecessors_side_by_side::<P>)
    }
    buckets: Buckets => { bucket = Some(calls::bucket::<P>) }
    random: RandomStates => { random = Some(calls::random::<P>) }
    sweep: Sweep => { sweep = Some(calls::sweep::<P>) }
    move_names: MoveNames => { describe_move = Some(calls::describe_move::<P>) }
    named_states: NamedStates => { names = Some(calls::names::<P>) }
    time_reversal: TimeReversal => { time_reversal = Some(calls::time_reversal::<P>) }
    move_order: MoveOrder => { move_order = Some(calls::move_order::<P>) }
    objective: Objective => { objective = Some(calls::objective::<P>) }
    refute: Refute => { refute = Some(calls::refute::<P>) }
    layered: Layered => { facts |= ANTIPODE_IS_LAYERED }
    undirected: Undirected => { facts |= ANTIPODE_IS_UNDIRECTED }
}

impl<P> Undetected for Detect<P> {}

/// Every function of [`Detect`], on one type. `tests/offers.rs` shows that none is missing.
#[doc(hidden)]
#[macro_export]
macro_rules! detect {
    ($puzzle:ty, $variant:expr) => {{
        #[allow(unused_imports)]
        use $crate::abi::{Detect, Undetected as _};
        let variant: &mut $crate::abi::AntipodeVariant = $variant;
        Detect::<$puzzle>::solved_states(variant);
        Detect::<$puzzle>::predecessors(variant);
        Detect::<$puzzle>::symmetry(variant);
        Detect::<$puzzle>::numbering(variant);
        Detect::<$puzzle>::parts(variant);
        Detect::<$puzzle>::neighbour_ranks(variant);
        // After those that they take the place of.
        Detect::<$puzzle>::side_by_side(variant);
        Detect::<$puzzle>::side_by_side_back(variant);
        Detect::<$puzzle>::buckets(variant);
        Detect::<$puzzle>::random(variant);
        Detect::<$puzzle>::sweep(variant);
        Detect::<$puzzle>::move_names(variant);
        Detect::<$puzzle>::named_states(variant);
        Detect::<$puzzle>::time_reversal(variant);
        Detect::<$puzzle>::move_order(variant);
        Detect::<$puzzle>::objective(variant);
        Detect::<$puzzle>::refute(variant);
        Detect::<$puzzle>::layered(variant);
        Detect::<$puzzle>::undirected(variant);
    }};
}
