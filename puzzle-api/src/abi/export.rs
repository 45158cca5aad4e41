//! From implementations of [`Puzzle`] to the table that crosses the boundary.

use std::ffi::{CString, c_char};
use std::ptr;

use super::calls;
use super::erased::Erased;
use super::guidance;
use super::offers;
use super::table::AntipodeTable;
use super::values::{ANTIPODE_ABI_VERSION, AntipodeNamed};
use crate::{About, BadInput, Capabilities, Effort, Figure, Key, Puzzle, Request, Settings};

/// The variants of one puzzle: a tuple of one to four types that implement [`Puzzle`]
/// with the same [`Puzzle::about`] and the same key. The first is the default.
pub trait VariantList: 'static {
    /// Words in a key.
    const KEY_WORDS: usize;

    /// Names in order.
    fn variants() -> Vec<&'static str>;

    /// The puzzle's own description.
    fn about() -> About;

    #[doc(hidden)]
    fn open(request: &Request<'_>, variant: &str) -> Result<Opened, BadInput>;

    #[doc(hidden)]
    fn derive(what: &str, parameters: &Settings, effort: Effort) -> Result<Vec<Figure>, BadInput>;
}

/// What a handle points to: an opened puzzle, and what it said of itself when it was
/// opened. Asking once keeps a panic there where it can be reported, and sizes of
/// buffers from changing between calls.
#[doc(hidden)]
pub struct Opened {
    pub(super) puzzle: Box<dyn Erased>,
    pub(super) capabilities: Capabilities,
    pub(super) symmetry_count: u32,
    pub(super) part_count: u64,
}

impl Opened {
    fn new<P: Puzzle>(puzzle: P) -> Self {
        Self {
            capabilities: puzzle.capabilities(),
            symmetry_count: puzzle.symmetry_count(),
            part_count: puzzle.part_count(),
            puzzle: Box::new(puzzle),
        }
    }
}

macro_rules! variant_list {
    ($first:ident $(, $rest:ident)*) => {
        impl<$first: Puzzle $(, $rest: Puzzle<Key = $first::Key>)*> VariantList for ($first, $($rest,)*) {
            const KEY_WORDS: usize = <$first::Key as Key>::WORDS;

            fn variants() -> Vec<&'static str> {
                vec![$first::VARIANT $(, $rest::VARIANT)*]
            }

            fn about() -> About {
                $first::about()
            }

            fn open(request: &Request<'_>, variant: &str) -> Result<Opened, BadInput> {
                if variant == $first::VARIANT {
                    return Ok(Opened::new($first::open(request)?));
                }
                $(if variant == $rest::VARIANT {
                    return Ok(Opened::new($rest::open(request)?));
                })*
                Err(BadInput::new(format!(
                    "no variant '{variant}': use one of {}",
                    Self::variants().join(", ")
                )))
            }

            fn derive(
                what: &str,
                parameters: &Settings,
                effort: Effort,
            ) -> Result<Vec<Figure>, BadInput> {
                $first::derive(what, parameters, effort)
            }
        }
    };
}

variant_list!(A);
variant_list!(A, B);
variant_list!(A, B, C);
variant_list!(A, B, C, D);

/// Makes the table of a puzzle. It and its texts are leaked: a table lives as long as
/// the process. Call it once a puzzle.
#[must_use]
pub fn table_for<L: VariantList>() -> &'static AntipodeTable {
    let about = L::about();
    let variants: Vec<_> = L::variants()
        .into_iter()
        .map(|name| named(name, ""))
        .collect();
    let instances: Vec<_> = about
        .instances
        .iter()
        .map(|instance| named(&instance.name, &instance.summary))
        .collect();
    let settings: Vec<_> = about
        .settings
        .iter()
        .map(|setting| named(&setting.key, &setting.summary))
        .collect();
    Box::leak(Box::new(AntipodeTable {
        abi_version: ANTIPODE_ABI_VERSION,
        table_size: size_of::<AntipodeTable>() as u32,
        name: leak(&about.name),
        version: leak(&about.version),
        summary: leak(&about.summary),
        key_words: L::KEY_WORDS as u32,
        variant_count: variants.len() as u32,
        variants: variants.leak().as_ptr(),
        instance_count: instances.len() as u32,
        setting_count: settings.len() as u32,
        instances: instances.leak().as_ptr(),
        settings: settings.leak().as_ptr(),
        legend: leak_optional(&about.legend),
        claims: leak_optional(&about.claims),
        open: Some(calls::open::<L>),
        close: Some(calls::close),
        roots: Some(calls::roots),
        successors: Some(calls::successors),
        is_solved: Some(calls::is_solved),
        parse: Some(calls::parse),
        draw: Some(calls::draw),
        capabilities: Some(offers::capabilities),
        predecessors: Some(calls::predecessors),
        symmetry_count: Some(offers::symmetry_count),
        images: Some(offers::images),
        canonical: Some(offers::canonical),
        part_count: Some(offers::part_count),
        part_name: Some(offers::part_name),
        space: Some(offers::space),
        place: Some(offers::place),
        unrank: Some(offers::unrank),
        bucket: Some(offers::bucket),
        random: Some(offers::random),
        sweep: Some(offers::sweep),
        describe_move: Some(offers::describe_move),
        derive: Some(offers::derive::<L>),
        failure: Some(offers::failure),
        names: Some(guidance::names),
        reversed: Some(guidance::reversed),
        order: Some(guidance::order),
        measure: Some(guidance::measure),
        refute: Some(guidance::refute),
        neighbour_ranks: Some(offers::neighbour_ranks),
    }))
}

/// Exports a puzzle from a shared library (crate type `cdylib`): one line with the
/// variants of the puzzle, the default first. At most one such line a library.
///
/// ```ignore
/// puzzle_api::export_puzzle!(EightPuzzle);
/// puzzle_api::export_puzzle!(Fast, Reference);
/// ```
///
/// Panics are caught and reported, unless the library is built with `panic = "abort"`.
#[macro_export]
macro_rules! export_puzzle {
    ($($variant:ty),+ $(,)?) => {
        /// Entry point that Antipode looks up by name; null where making the table panics.
        #[allow(unsafe_code)]
        // SAFETY: the name is versioned and belongs to this boundary; a library exports it once.
        #[unsafe(no_mangle)]
        pub extern "C" fn antipode_puzzle_v1() -> *const $crate::abi::AntipodeTable {
            static TABLE: ::std::sync::OnceLock<
                ::core::option::Option<&'static $crate::abi::AntipodeTable>,
            > = ::std::sync::OnceLock::new();
            let table = TABLE.get_or_init(|| {
                ::std::panic::catch_unwind($crate::abi::table_for::<($($variant,)+)>).ok()
            });
            table.map_or(::core::ptr::null(), ::core::ptr::from_ref)
        }
    };
}

/// A zero-terminated copy that is never freed.
fn leak(text: &str) -> *const c_char {
    let clean: String = text.chars().filter(|&c| c != '\0').collect();
    CString::new(clean).unwrap_or_default().into_raw()
}

fn leak_optional(text: &str) -> *const c_char {
    if text.is_empty() {
        ptr::null()
    } else {
        leak(text)
    }
}

fn named(name: &str, summary: &str) -> AntipodeNamed {
    AntipodeNamed {
        name: leak(name),
        summary: leak(summary),
    }
}
