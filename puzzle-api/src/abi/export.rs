//! From implementations of [`Puzzle`] to the table that crosses the boundary.

use std::any::Any;
use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

use super::erased::Erased;
use super::table::*;
use crate::{
    About, BadInput, Capabilities, Direction, Effort, Figure, Key, Puzzle, Request, Settings,
};

/// What a handle points to. A thin pointer crosses the boundary, hence two boxes.
type Handle = Box<dyn Erased>;

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

#[doc(hidden)]
pub struct Opened(Handle);

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
                    return Ok(Opened(Box::new($first::open(request)?)));
                }
                $(if variant == $rest::VARIANT {
                    return Ok(Opened(Box::new($rest::open(request)?)));
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
        open: Some(open::<L>),
        close: Some(close),
        roots: Some(roots),
        successors: Some(successors),
        is_solved: Some(is_solved),
        parse: Some(parse),
        draw: Some(draw),
        capabilities: Some(capabilities),
        predecessors: Some(predecessors),
        symmetry_count: Some(symmetry_count),
        images: Some(images),
        canonical: Some(canonical),
        part_count: Some(part_count),
        part_name: Some(part_name),
        space: Some(space),
        place: Some(place),
        unrank: Some(unrank),
        bucket: Some(bucket),
        random: Some(random),
        sweep: Some(sweep),
        describe_move: Some(describe_move),
        derive: Some(derive::<L>),
    }))
}

/// Exports puzzles from a shared library (crate type `cdylib`): one line with the
/// variants of one puzzle, the default first.
///
/// ```ignore
/// puzzle_api::export_puzzle!(EightPuzzle);
/// puzzle_api::export_puzzle!(Fast, Reference);
/// ```
#[macro_export]
macro_rules! export_puzzle {
    ($($variant:ty),+ $(,)?) => {
        /// Entry point that Antipode looks up by name.
        // SAFETY: the name is versioned and belongs to this boundary; a library exports it once.
        #[unsafe(no_mangle)]
        pub extern "C" fn antipode_puzzle_v1() -> *const $crate::abi::AntipodeTable {
            static TABLE: std::sync::OnceLock<&'static $crate::abi::AntipodeTable> =
                std::sync::OnceLock::new();
            let table = std::panic::catch_unwind(|| {
                *TABLE.get_or_init($crate::abi::table_for::<($($variant,)+)>)
            });
            table.map_or(std::ptr::null(), std::ptr::from_ref)
        }
    };
}

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

// ---- texts ----------------------------------------------------------------

/// # Safety
/// `text` points to `length` readable bytes, or `length` is 0.
unsafe fn read_text<'a>(text: AntipodeStr) -> Result<&'a str, BadInput> {
    if text.length == 0 {
        return Ok("");
    }
    // SAFETY: the caller guarantees the range.
    let bytes = unsafe { slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    str::from_utf8(bytes).map_err(|_| BadInput::new("text that is not UTF-8"))
}

/// # Safety
/// `out` is null or points to an `AntipodeText` whose `data` has room for `capacity` bytes.
unsafe fn write_text(out: *mut AntipodeText, text: &str) -> AntipodeStatus {
    // SAFETY: null or valid, by the caller.
    let Some(out) = (unsafe { out.as_mut() }) else {
        return ANTIPODE_OK;
    };
    let fitting = text.len().min(out.capacity);
    if fitting > 0 {
        // SAFETY: `fitting` is within both the text and the capacity.
        unsafe { ptr::copy_nonoverlapping(text.as_ptr(), out.data.cast::<u8>(), fitting) };
    }
    out.length = text.len();
    if fitting < text.len() {
        ANTIPODE_MORE_ROOM
    } else {
        ANTIPODE_OK
    }
}

fn read_settings(text: &str) -> Settings {
    text.lines()
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// Runs a body; a panic becomes `ANTIPODE_FAILED` (with its message in `error`, which
/// may be null), because unwinding out of an `extern "C"` function aborts the host.
///
/// # Safety
/// `error` as in [`write_text`].
unsafe fn guarded(
    error: *mut AntipodeText,
    body: impl FnOnce() -> Result<AntipodeStatus, BadInput>,
) -> AntipodeStatus {
    let (status, text) = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status)) => return status,
        Ok(Err(bad)) => (ANTIPODE_BAD_INPUT, bad.0),
        Err(payload) => (
            ANTIPODE_FAILED,
            format!("panicked: {}", panic_text(&*payload)),
        ),
    };
    // SAFETY: by the caller.
    unsafe { write_text(error, &text) };
    status
}

// ---- the exported functions -------------------------------------------------
//
// Safety of all of them: the harness passes a handle from `open` that has not been
// closed, and arrays of the sizes that `table.rs` states.

/// # Safety
/// `handle` comes from `open` and is not closed.
unsafe fn of<'a>(handle: *const c_void) -> &'a Handle {
    // SAFETY: `open` made it from a `Box<Handle>`.
    unsafe { &*handle.cast::<Handle>() }
}

/// # Safety
/// `data` has `count` elements, or `count` is 0.
unsafe fn input<'a, T>(data: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: by the caller.
    unsafe { slice::from_raw_parts(data, count) }
}

/// # Safety
/// `data` has `count` writable elements that nothing else refers to, or `count` is 0.
unsafe fn output<'a, T>(data: *mut T, count: usize) -> &'a mut [T] {
    if count == 0 {
        return &mut [];
    }
    // SAFETY: by the caller.
    unsafe { slice::from_raw_parts_mut(data, count) }
}

unsafe extern "C" fn open<L: VariantList>(
    instance: AntipodeStr,
    variant: AntipodeStr,
    settings: AntipodeStr,
    handle: *mut *mut c_void,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: the texts and pointers are valid during the call, by the table's contract.
    unsafe {
        guarded(error, || {
            let settings = read_settings(read_text(settings)?);
            let request = Request {
                instance: read_text(instance)?,
                settings: &settings,
            };
            let Opened(opened) = L::open(&request, read_text(variant)?)?;
            *handle = Box::into_raw(Box::new(opened)).cast::<c_void>();
            Ok(ANTIPODE_OK)
        })
    }
}

unsafe extern "C" fn close(handle: *mut c_void) {
    let drop_it = AssertUnwindSafe(|| {
        // SAFETY: `open` made it from a `Box<Handle>`, and it is closed once.
        drop(unsafe { Box::from_raw(handle.cast::<Handle>()) });
    });
    // A panic while dropping has nobody to report to and must not leave the function.
    let _ = catch_unwind(drop_it);
}

unsafe extern "C" fn roots(
    handle: *const c_void,
    direction: u32,
    part: u64,
    sink: AntipodeSink,
) -> AntipodeStatus {
    // SAFETY: see the head of this section; the sink's function takes what it is given here.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            let direction = if direction == ANTIPODE_FORWARD {
                Direction::Forward
            } else {
                Direction::Backward
            };
            if direction == Direction::Backward
                && !puzzle.capabilities().has(Capabilities::SOLVED_ROOTS)
            {
                return Ok(ANTIPODE_UNSUPPORTED);
            }
            let Some(emit) = sink.emit else {
                return Ok(ANTIPODE_FAILED);
            };
            let words = puzzle.key_words();
            let whole = puzzle.roots(direction, part, &mut |keys| {
                emit(sink.context, keys.as_ptr(), keys.len() / words) == 0
            });
            Ok(if whole { ANTIPODE_OK } else { ANTIPODE_STOPPED })
        })
    }
}

/// # Safety
/// As the exported functions.
#[allow(clippy::too_many_arguments)]
unsafe fn expand(
    handle: *const c_void,
    direction: Direction,
    keys: *const u64,
    count: usize,
    out: *mut u64,
    capacity: usize,
    offsets: *mut usize,
    done: *mut usize,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            if direction == Direction::Backward
                && !puzzle.capabilities().has(Capabilities::PREDECESSORS)
            {
                return Ok(ANTIPODE_UNSUPPORTED);
            }
            let words = puzzle.key_words();
            let expanded = puzzle.expand(
                direction,
                input(keys, count * words),
                output(out, capacity * words),
                output(offsets, count + 1),
            );
            *done = expanded.done;
            Ok(if expanded.done < count {
                ANTIPODE_MORE_ROOM
            } else {
                ANTIPODE_OK
            })
        })
    }
}

unsafe extern "C" fn successors(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
    capacity: usize,
    offsets: *mut usize,
    done: *mut usize,
) -> AntipodeStatus {
    let direction = Direction::Forward;
    // SAFETY: passed on unchanged.
    unsafe { expand(handle, direction, keys, count, out, capacity, offsets, done) }
}

unsafe extern "C" fn predecessors(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
    capacity: usize,
    offsets: *mut usize,
    done: *mut usize,
) -> AntipodeStatus {
    let direction = Direction::Backward;
    // SAFETY: passed on unchanged.
    unsafe { expand(handle, direction, keys, count, out, capacity, offsets, done) }
}

unsafe extern "C" fn is_solved(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u8,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            let keys = input(keys, count * puzzle.key_words());
            puzzle.is_solved(keys, output(out, count));
            Ok(ANTIPODE_OK)
        })
    }
}

unsafe extern "C" fn parse(
    handle: *const c_void,
    text: AntipodeStr,
    key: *mut u64,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(error, || {
            let words = of(handle).parse(read_text(text)?)?;
            output(key, words.len()).copy_from_slice(&words);
            Ok(ANTIPODE_OK)
        })
    }
}

unsafe extern "C" fn draw(
    handle: *const c_void,
    key: *const u64,
    text: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            let drawn = puzzle.draw(input(key, puzzle.key_words()));
            Ok(write_text(text, &drawn))
        })
    }
}

unsafe extern "C" fn capabilities(handle: *const c_void) -> u64 {
    // SAFETY: `handle` is open.
    let puzzle = unsafe { of(handle) };
    catch_unwind(AssertUnwindSafe(|| puzzle.capabilities().0)).unwrap_or(0)
}

unsafe extern "C" fn symmetry_count(handle: *const c_void) -> u32 {
    // SAFETY: `handle` is open.
    let puzzle = unsafe { of(handle) };
    catch_unwind(AssertUnwindSafe(|| puzzle.symmetry_count())).unwrap_or(0)
}

unsafe extern "C" fn images(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            let words = puzzle.key_words();
            let mut made = Vec::with_capacity(count * words * puzzle.symmetry_count() as usize);
            puzzle.images(input(keys, count * words), &mut made);
            output(out, made.len()).copy_from_slice(&made);
            Ok(ANTIPODE_OK)
        })
    }
}

unsafe extern "C" fn canonical(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
    orbit_sizes: *mut u32,
) -> AntipodeStatus {
    // SAFETY: see the head of this section; `out` is written only after `keys` was read.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            let words = count * puzzle.key_words();
            let mut made = Vec::with_capacity(words);
            let sizes = (!orbit_sizes.is_null()).then(|| output(orbit_sizes, count));
            puzzle.canonical(input(keys, words), &mut made, sizes);
            output(out, words).copy_from_slice(&made);
            Ok(ANTIPODE_OK)
        })
    }
}

unsafe extern "C" fn part_count(handle: *const c_void) -> u64 {
    // SAFETY: `handle` is open.
    let puzzle = unsafe { of(handle) };
    catch_unwind(AssertUnwindSafe(|| puzzle.part_count())).unwrap_or(0)
}

unsafe extern "C" fn part_name(
    handle: *const c_void,
    part: u64,
    text: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            Ok(write_text(text, &of(handle).part_name(part)))
        })
    }
}

unsafe extern "C" fn space(handle: *const c_void, part: u64, size: *mut u64) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            Ok(match of(handle).space(part) {
                Some(found) => {
                    *size = found;
                    ANTIPODE_OK
                }
                None => ANTIPODE_UNSUPPORTED,
            })
        })
    }
}

unsafe extern "C" fn place(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    parts: *mut u64,
    ranks: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            let keys = input(keys, count * puzzle.key_words());
            puzzle.place(keys, output(parts, count), output(ranks, count));
            Ok(ANTIPODE_OK)
        })
    }
}

unsafe extern "C" fn unrank(
    handle: *const c_void,
    part: u64,
    ranks: *const u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            let mut made = Vec::with_capacity(count * puzzle.key_words());
            if !puzzle.unrank(part, input(ranks, count), &mut made) {
                return Ok(ANTIPODE_UNSUPPORTED);
            }
            output(out, made.len()).copy_from_slice(&made);
            Ok(ANTIPODE_OK)
        })
    }
}

unsafe extern "C" fn bucket(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            let keys = input(keys, count * puzzle.key_words());
            puzzle.bucket(keys, output(out, count));
            Ok(ANTIPODE_OK)
        })
    }
}

unsafe extern "C" fn random(
    handle: *const c_void,
    seed: u64,
    first: u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            let mut made = Vec::with_capacity(count * puzzle.key_words());
            if !puzzle.random(seed, first, count, &mut made) {
                return Ok(ANTIPODE_UNSUPPORTED);
            }
            output(out, made.len()).copy_from_slice(&made);
            Ok(ANTIPODE_OK)
        })
    }
}

unsafe extern "C" fn sweep(
    handle: *const c_void,
    part: u64,
    sink: AntipodeSweepSink,
) -> AntipodeStatus {
    // SAFETY: see the head of this section; the sink's function takes what it is given here.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            if !puzzle.capabilities().has(Capabilities::SWEEP) {
                return Ok(ANTIPODE_UNSUPPORTED);
            }
            let Some(emit) = sink.emit else {
                return Ok(ANTIPODE_FAILED);
            };
            let whole = puzzle.sweep(part, &mut |keys, depths, orbit_size| {
                let (keys, count) = (keys.as_ptr(), depths.len());
                emit(sink.context, keys, depths.as_ptr(), count, orbit_size) == 0
            });
            Ok(if whole { ANTIPODE_OK } else { ANTIPODE_STOPPED })
        })
    }
}

unsafe extern "C" fn describe_move(
    handle: *const c_void,
    from: *const u64,
    to: *const u64,
    text: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(ptr::null_mut(), || {
            let puzzle = of(handle);
            let words = puzzle.key_words();
            let named = puzzle.describe_move(input(from, words), input(to, words));
            Ok(named.map_or(ANTIPODE_UNSUPPORTED, |name| write_text(text, &name)))
        })
    }
}

unsafe extern "C" fn derive<L: VariantList>(
    what: AntipodeStr,
    parameters: AntipodeStr,
    effort: u32,
    figures: *mut AntipodeText,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this section.
    unsafe {
        guarded(error, || {
            let effort = if effort == 0 {
                Effort::Quick
            } else {
                Effort::Full
            };
            let parameters = read_settings(read_text(parameters)?);
            let derived = L::derive(read_text(what)?, &parameters, effort)?;
            let lines: String = derived
                .iter()
                .map(|figure| format!("{}\t{}\n", figure.name, escape(&figure.value)))
                .collect();
            Ok(write_text(figures, &lines))
        })
    }
}

fn escape(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
}
