//! A type's table offers all the traits that it implements, and nothing else.
#![allow(unsafe_code)]

use puzzle_api::abi::{
    ANTIPODE_ABI_VERSION, ANTIPODE_IS_LAYERED, ANTIPODE_IS_UNDIRECTED, AntipodeTable,
    AntipodeVariant,
};
use puzzle_api::optional::*;
use puzzle_api::{About, BadInput, Direction, Family, Puzzle, Request, Xorshift, puzzle_table};

struct Plain;
struct Rich;
struct Back;

impl Family for Plain {
    fn about() -> About {
        About::default()
    }
}

/// One state, solved.
macro_rules! point {
    ($($variant:ident $name:literal)+) => {$(
        impl Puzzle for $variant {
            type Key = u64;
            type State = u64;

            const VARIANT: &'static str = $name;

            fn open(_: &Request<'_>) -> Result<Self, BadInput> {
                Ok(Self)
            }

            fn successors(&self, _: &u64, _: &mut dyn FnMut(u64)) {}

            fn is_solved(&self, _: &u64) -> bool {
                true
            }

            fn key(&self, state: &u64) -> u64 {
                *state
            }

            fn state(&self, key: u64) -> u64 {
                key
            }

            fn parse(&self, _: &str) -> Result<u64, BadInput> {
                Ok(0)
            }

            fn draw(&self, _: &u64) -> String {
                String::new()
            }
        }
    )+};
}

point! { Plain "reference" Rich "rich" Back "back" }

impl Undirected for Back {}

impl SolvedStates for Rich {
    fn solved_states(&self, _: u64, _: &mut dyn FnMut(u64)) {}
}

impl Predecessors for Rich {
    fn predecessors(&self, _: &u64, _: &mut dyn FnMut(u64)) {}
}

impl Layered for Rich {}

impl Symmetry for Rich {
    fn symmetry_count(&self) -> u32 {
        1
    }

    fn image(&self, state: &u64, _: u32) -> u64 {
        *state
    }
}

impl Numbering for Rich {
    fn space(&self, _: u64) -> Option<u64> {
        None
    }

    fn place(&self, _: &u64) -> Option<Placement> {
        None
    }

    fn unrank(&self, _: Placement) -> Option<u64> {
        None
    }
}

impl Expand for Rich {
    fn expand(&self, _: Want, _: &[u64], _: &[u32], _: &mut Neighbours<u64>) {}
}

impl Hints for Rich {
    fn has_hint(&self, _: Hint) -> bool {
        true
    }

    fn hint(&self, _: Hint, states: &[u64], out: &mut Vec<u64>) {
        out.extend(states);
    }
}

impl RandomStates for Rich {
    fn random(&self, _: &mut Xorshift) -> Option<u64> {
        None
    }
}

impl Sweep for Rich {
    fn sweep(
        &self,
        _: Direction,
        _: Option<&u64>,
        _: u64,
        _: &[u64],
        _: &mut dyn FnMut(Swept<'_, u64>) -> bool,
    ) {
    }
}

impl Names for Rich {}

impl Objective for Rich {
    fn objective(&self, _: &u64) -> u64 {
        0
    }
}

impl LowerBound for Rich {
    fn lower_bound(&self, _: &u64) -> u64 {
        0
    }
}

fn table() -> &'static AntipodeTable {
    puzzle_table!(Plain: Plain, Rich, Back)
}

fn variants() -> &'static [AntipodeVariant] {
    let table = table();
    // SAFETY: the table has as many variants as it counts.
    unsafe { std::slice::from_raw_parts(table.variants, table.variant_count as usize) }
}

/// The members of a variant that are not null, by position.
fn filled(variant: &AntipodeVariant) -> Vec<bool> {
    const MEMBERS: usize = size_of::<AntipodeVariant>() / size_of::<usize>();
    // SAFETY: the type consists of pointers and one number of 64 bits, without gaps.
    let words = unsafe { &*std::ptr::from_ref(variant).cast::<[usize; MEMBERS]>() };
    words.iter().map(|word| *word != 0).collect()
}

#[test]
fn a_type_that_implements_all_offers_all() {
    let members = filled(&variants()[1]);
    let missing: Vec<usize> = (0..members.len()).filter(|&at| !members[at]).collect();
    assert_eq!(missing, [0; 0]);
    assert_eq!(variants()[1].facts, ANTIPODE_IS_LAYERED);
}

#[test]
fn a_type_that_implements_what_is_required_offers_nothing_else() {
    let plain = variants()[0];
    let members = filled(&plain);
    // Its name, and eight functions for trait `Puzzle`.
    assert_eq!(members.iter().filter(|filled| **filled).count(), 9);
    assert!(plain.open.is_some() && plain.close.is_some() && plain.starts.is_some());
    assert_eq!(plain.facts, 0);
    assert_eq!(table().abi_version, ANTIPODE_ABI_VERSION);
}

#[test]
fn what_can_be_undone_goes_backward_without_a_line_more() {
    let back = variants()[2];
    assert!(back.predecessors.is_some());
    assert!(back.symmetry_count.is_none() && back.solved_states.is_none());
    assert_eq!(back.facts, ANTIPODE_IS_UNDIRECTED);
}

#[test]
fn expand_replaces_successors() {
    let [plain, rich, back] = variants() else {
        panic!("three variants");
    };
    let mut done = 7;
    let (mut out, mut offsets) = ([0_u64; 4], [0_usize; 2]);
    let mut handle = std::ptr::null_mut();
    for (variant, complete) in [(plain, 1), (back, 1), (rich, 0)] {
        let empty = puzzle_api::abi::AntipodeStr {
            data: std::ptr::null(),
            length: 0,
        };
        // SAFETY: the arrays have the sizes that the table states.
        unsafe {
            variant.open.expect("open")(empty, empty, &mut handle, std::ptr::null_mut());
            variant.successors.expect("successors")(
                handle,
                &1,
                1,
                out.as_mut_ptr(),
                out.len(),
                offsets.as_mut_ptr(),
                &mut done,
            );
            variant.close.expect("close")(handle);
        }
        // The rich one's `expand` completes no state.
        assert_eq!(done, complete);
    }
}
