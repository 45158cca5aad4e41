//! From implementations to the table that crosses the boundary.

use std::ffi::{CString, c_char};
use std::ptr;

use super::functions;
use super::table::AntipodeTable;
use super::values::{ANTIPODE_ABI_VERSION, AntipodeNamed};
use super::variant::AntipodeVariant;
use crate::{Family, Key, Puzzle};

/// A variant with only the required functions; [`crate::detect!`] adds the optional ones.
#[doc(hidden)]
#[must_use]
pub fn variant<K: Key, P: Puzzle<Key = K>>() -> AntipodeVariant {
    AntipodeVariant {
        name: leak(P::VARIANT),
        open: Some(functions::open::<P>),
        close: Some(functions::close::<P>),
        successors: Some(functions::successors::<P>),
        is_solved: Some(functions::is_solved::<P>),
        parse: Some(functions::parse::<P>),
        draw: Some(functions::draw::<P>),
        starts: Some(functions::starts::<P>),
        refute: Some(functions::refute::<P>),
        ..AntipodeVariant::default()
    }
}

/// The table of a puzzle with these variants, whose keys are of type `K`.
#[doc(hidden)]
#[must_use]
pub fn table<K: Key, F: Family>(variants: Vec<AntipodeVariant>) -> &'static AntipodeTable {
    let about = F::about();
    let instances = about.instances.iter();
    let instances: Vec<_> = instances
        .map(|instance| named(&instance.name, &instance.summary))
        .collect();
    let settings = about.settings.iter();
    let settings: Vec<_> = settings
        .map(|setting| match &setting.default {
            Some(default) => named(&format!("{}={default}", setting.key), &setting.summary),
            None => named(&setting.key, &setting.summary),
        })
        .collect();
    Box::leak(Box::new(AntipodeTable {
        abi_version: ANTIPODE_ABI_VERSION,
        table_size: size_of::<AntipodeTable>() as u32,
        variant_size: size_of::<AntipodeVariant>() as u32,
        key_words: K::WORDS as u32,
        name: leak(&about.name),
        version: leak(&about.version),
        summary: leak(&about.summary),
        legend: leak_optional(&about.legend),
        claims: leak_optional(&about.claims),
        derivations: leak_optional(&lines(F::derivations())),
        instance_count: instances.len() as u32,
        setting_count: settings.len() as u32,
        variant_count: variants.len() as u32,
        instances: instances.leak().as_ptr(),
        settings: settings.leak().as_ptr(),
        variants: variants.leak().as_ptr(),
        derive: Some(functions::derive::<F>),
        failure: Some(functions::failure),
    }))
}

/// Derivations in the format of the table: one line each, beginning with the name.
fn lines(derivations: &[(&str, &[&str])]) -> String {
    let line = |(name, parameters): &(&str, &[&str])| {
        let words: Vec<&str> = std::iter::once(*name)
            .chain(parameters.iter().copied())
            .collect();
        words.join(" ") + "\n"
    };
    derivations.iter().map(line).collect()
}

/// Makes the table of a puzzle from its [`Family`](crate::Family) and its variants, the default
/// first: a `&'static AntipodeTable`. Each variant offers the traits of
/// [`optional`](crate::optional) that it implements; all must have the same key.
/// [`Family`](crate::Family) has an example.
///
/// The table and its texts are leaked. Make it once per puzzle.
#[macro_export]
macro_rules! puzzle_table {
    ($family:ty: $first:ty $(, $rest:ty)* $(,)?) => {{
        // A separate function, in which no type parameter of its surroundings can be named: offers
        // are detected only on concrete types.
        fn table() -> &'static $crate::abi::AntipodeTable {
            type SharedKey = <$first as $crate::Puzzle>::Key;
            let mut first = $crate::abi::variant::<SharedKey, $first>();
            $crate::detect!($first, &mut first);
            #[allow(unused_mut)]
            let mut variants = ::std::vec![first];
            $({
                let mut next = $crate::abi::variant::<SharedKey, $rest>();
                $crate::detect!($rest, &mut next);
                variants.push(next);
            })*
            $crate::abi::table::<SharedKey, $family>(variants)
        }
        table()
    }};
}

/// Declares the [`Family`](crate::Family) of a puzzle in Rust and its `table`:
/// `family!(Knights: Fast, Rules; instances::about, derive)`, with a module of derivations or
/// without.
#[macro_export]
macro_rules! family {
    ($(#[$doc:meta])* $name:ident: $($variant:ty),+; $about:path $(, $derive:ident)?) => {
        $(#[$doc])*
        pub struct $name;

        impl $crate::Family for $name {
            fn about() -> $crate::About {
                $about()
            }

            $(
                fn derivations() -> &'static [(&'static str, &'static [&'static str])] {
                    &$derive::NAMES
                }

                fn derive(
                    what: &str,
                    parameters: &$crate::Settings,
                    effort: $crate::Effort,
                ) -> Result<Vec<$crate::Figure>, $crate::BadInput> {
                    $derive::derive(what, parameters, effort)
                }
            )?
        }

        /// The table of the variants, the fast one first. Call it once: the table is leaked.
        #[must_use]
        pub fn table() -> &'static $crate::abi::AntipodeTable {
            $crate::puzzle_table!($name: $($variant),+)
        }
    };
}

/// Exports a puzzle from a shared library (crate type `cdylib`). One line has its
/// [`Family`](crate::Family) and its variants, the default first, as in
/// [`puzzle_table!`](crate::puzzle_table): `export_puzzle!(Knight: Fast, Rules);`. At most one such
/// line per library.
///
/// Panics are caught and reported, unless the library is built with `panic = "abort"`.
#[macro_export]
macro_rules! export_puzzle {
    ($family:ty: $($variant:ty),+ $(,)?) => {
        /// Entry point that Antipode looks up by name; null if making the table panics.
        #[allow(unsafe_code)]
        // SAFETY: the name is versioned and belongs to this boundary; a library exports it once.
        #[unsafe(no_mangle)]
        pub extern "C" fn antipode_puzzle_v1() -> *const $crate::abi::AntipodeTable {
            static TABLE: ::std::sync::OnceLock<
                ::core::option::Option<&'static $crate::abi::AntipodeTable>,
            > = ::std::sync::OnceLock::new();
            let table = TABLE.get_or_init(|| {
                ::std::panic::catch_unwind(|| $crate::puzzle_table!($family: $($variant),+)).ok()
            });
            table.map_or(::core::ptr::null(), ::core::ptr::from_ref)
        }
    };
}

/// A zero-terminated copy that is never freed.
fn leak(text: &str) -> *const c_char {
    CString::new(text.replace('\0', ""))
        .unwrap_or_default()
        .into_raw()
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
