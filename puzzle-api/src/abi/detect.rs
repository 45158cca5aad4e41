//! Finds which functions an implementation offers, by the traits that it implements.
//!
//! [`Detect`] has an associated function for each trait of [`crate::optional`], which fills the
//! members of the table, but only for types that implement the trait. For all others, the function
//! of the same name of [`Undetected`] does nothing. A call on a *concrete* type takes the first if
//! there is one. (On a type parameter it would always take the second. So [`crate::puzzle_table!`]
//! makes the calls, where types are concrete.)

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
        unrank = Some(functions::unrank::<P>),
        part_count = Some(functions::part_count::<P>),
        part_name = Some(functions::part_name::<P>),
        neighbour_ranks = Some(functions::neighbour_ranks::<P>)
    }
    add_expand: Expand => {
        successors = Some(functions::successors_at_once::<P>),
        expand = Some(functions::expand::<P>)
    }
    add_expand_back: Expand + Predecessors => {
        predecessors = Some(functions::predecessors_at_once::<P>)
    }
    add_hints: Hints => {
        bucket = Some(functions::bucket::<P>),
        diversity_class = Some(functions::diversity_class::<P>),
        move_order = Some(functions::move_order::<P>),
        feature_space = Some(functions::feature_space::<P>),
        features = Some(functions::features::<P>)
    }
    add_random: RandomStates => { random = Some(functions::random::<P>) }
    add_sweep: Sweep => { sweep = Some(functions::sweep::<P>) }
    add_names: Names => {
        describe_move = Some(functions::describe_move::<P>),
        names = Some(functions::names::<P>)
    }
    add_objective: Objective => { objective = Some(functions::objective::<P>) }
    add_lower_bound: LowerBound => { lower_bound = Some(functions::lower_bound::<P>) }
    add_layered: Layered => {
        facts |= ANTIPODE_IS_LAYERED,
        time_reversal = Some(functions::time_reversal::<P>)
    }
    add_undirected: Undirected => { facts |= ANTIPODE_IS_UNDIRECTED }
}

impl<P> Undetected for Detect<P> {}

/// Every function of [`Detect`], on one type. `tests/suite/optional.rs` shows that none is missing.
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
        // Must follow the functions that these replace.
        Detect::<$puzzle>::add_expand(variant);
        Detect::<$puzzle>::add_expand_back(variant);
        Detect::<$puzzle>::add_hints(variant);
        Detect::<$puzzle>::add_random(variant);
        Detect::<$puzzle>::add_sweep(variant);
        Detect::<$puzzle>::add_names(variant);
        Detect::<$puzzle>::add_objective(variant);
        Detect::<$puzzle>::add_lower_bound(variant);
        Detect::<$puzzle>::add_layered(variant);
        Detect::<$puzzle>::add_undirected(variant);
    }};
}
