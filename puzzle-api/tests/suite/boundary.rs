//! The exported functions, called as the harness calls them.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_void};
use std::ptr;

use puzzle_api::abi::*;
use puzzle_api::{
    About, BadInput, Direction, Effort, Family, Figure, Puzzle, Request, Settings, Sweep, Swept,
    Symmetry, puzzle_table,
};

/// The name of the puzzle.
struct OddFamily;

impl Family for OddFamily {
    fn about() -> About {
        About {
            name: "odd".into(),
            ..About::default()
        }
    }

    fn derive(what: &str, parameters: &Settings, _: Effort) -> Result<Vec<Figure>, BadInput> {
        Ok(vec![Figure::new(
            "value",
            format!("{what}\t{}", parameters["n"]),
        )])
    }
}

/// States 0 to 9 with ten successors each; some functions panic or lie, by instance.
struct Odd(String);

impl Puzzle for Odd {
    type Key = u128;
    type State = u128;

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        assert!(
            request.instance != "panics",
            "cannot open {}",
            request.instance
        );
        match request.settings.is_empty() {
            true => Ok(Self(request.instance.to_owned())),
            false => Err(BadInput::new("takes no settings")),
        }
    }

    fn starts(&self, emit: &mut dyn FnMut(u128)) {
        (0..10_000).for_each(emit);
    }

    fn successors(&self, state: &u128, emit: &mut dyn FnMut(u128)) {
        assert!(*state < 10, "no state {state}");
        (0..10).for_each(|next| emit(next << 64 | state));
    }

    fn is_solved(&self, state: &u128) -> bool {
        *state == 0
    }

    fn key(&self, state: &u128) -> u128 {
        *state
    }

    fn state(&self, key: u128) -> u128 {
        key
    }

    fn parse(&self, text: &str) -> Result<u128, BadInput> {
        text.parse().map_err(|_| BadInput::new("write a number"))
    }

    fn draw(&self, state: &u128) -> String {
        state.to_string()
    }
}

impl Symmetry for Odd {
    fn symmetry_count(&self) -> u32 {
        assert!(self.0 != "panics late", "counts nothing");
        2
    }

    fn image(&self, state: &u128, index: u32) -> u128 {
        if index == 0 { *state } else { 9 - state }
    }
}

impl Sweep for Odd {
    fn sweeps(&self, way: Direction, from: Option<&u128>) -> Option<u64> {
        (way == Direction::Backward).then(|| 100 + from.map_or(0, |&from| from as u64))
    }

    fn sweep(
        &self,
        _: Direction,
        _: Option<&u128>,
        _: u64,
        _: &[u128],
        emit: &mut dyn FnMut(Swept<'_, u128>) -> bool,
    ) {
        let depths: &[u16] = if self.0 == "uneven" {
            &[0, 1, 2]
        } else {
            &[0, 1]
        };
        emit(Swept {
            keys: &[0, 1],
            depths,
            orbit_size: 2,
        });
    }
}

fn table() -> &'static AntipodeTable {
    puzzle_table!(OddFamily: Odd)
}

/// The only variant of [`table`].
fn odd() -> &'static AntipodeVariant {
    // SAFETY: a table has at least one variant.
    unsafe { &*table().variants }
}

fn pass(text: &str) -> AntipodeStr {
    AntipodeStr {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// Makes a call that writes a text into 64 bytes.
fn with_text(call: impl FnOnce(*mut AntipodeText) -> AntipodeStatus) -> (AntipodeStatus, String) {
    let mut room = [0_u8; 64];
    let mut text = AntipodeText {
        data: room.as_mut_ptr().cast::<c_char>(),
        capacity: room.len(),
        length: 0,
    };
    let status = call(&mut text);
    let length = text.length.min(room.len());
    (
        status,
        String::from_utf8_lossy(&room[..length]).into_owned(),
    )
}

fn open(instance: &str, settings: &str) -> Result<*mut c_void, (AntipodeStatus, String)> {
    let mut handle = ptr::null_mut();
    let (status, text) = with_text(|error| {
        let open = odd().open.expect("open");
        // SAFETY: the texts live across the call.
        unsafe { open(pass(instance), pass(settings), &mut handle, error) }
    });
    if status == ANTIPODE_OK {
        Ok(handle)
    } else {
        Err((status, text))
    }
}

fn failure() -> String {
    let failure = table().failure.expect("failure");
    // SAFETY: the text lives across the call.
    with_text(|text| unsafe { failure(text) }).1
}

#[test]
fn opening_fails_in_words() {
    assert_eq!(
        open("panics", ""),
        Err((ANTIPODE_FAILED, "panicked: cannot open panics".into()))
    );
    assert_eq!(
        open("plain", "a=b\n"),
        Err((ANTIPODE_BAD_INPUT, "takes no settings".into()))
    );
    // Every count has its own status, so a panic can be reported.
    let handle = open("panics late", "").expect("opened");
    let count = odd().symmetry_count.expect("symmetry_count");
    // SAFETY: the handle is open.
    assert_eq!(unsafe { count(handle, &mut 0) }, ANTIPODE_FAILED);
    assert_eq!(failure(), "panicked: counts nothing");
    close(handle);
}

#[test]
fn an_expansion_stops_before_its_capacity() {
    let handle = open("plain", "").expect("opened");
    let successors = odd().successors.expect("successors");
    let keys: Vec<u64> = (0..4).flat_map(|key| [key, 0]).collect();
    for (capacity, expected, status) in [
        (40, 4, ANTIPODE_OK),
        (39, 3, ANTIPODE_MORE_ROOM),
        (9, 0, ANTIPODE_MORE_ROOM),
        (0, 0, ANTIPODE_MORE_ROOM),
    ] {
        let mut out = vec![7_u64; capacity * 2 + 2];
        let (mut offsets, mut done) = ([usize::MAX; 5], 99);
        // SAFETY: the arrays have the sizes that the table states.
        let found = unsafe {
            let (out, offsets) = (out.as_mut_ptr(), offsets.as_mut_ptr());
            successors(handle, keys.as_ptr(), 4, out, capacity, offsets, &mut done)
        };
        assert_eq!((found, done), (status, expected), "{capacity}");
        assert_eq!(offsets[..=done], [0, 10, 20, 30, 40][..=done]);
        assert_eq!(out[capacity * 2..], [7, 7], "wrote beyond {capacity}");
    }
    let mut done = 0;
    // SAFETY: as above; the panic comes before anything is written.
    let status = unsafe {
        let mut offsets = [0; 2];
        successors(
            handle,
            [99, 0].as_ptr(),
            1,
            ptr::null_mut(),
            0,
            offsets.as_mut_ptr(),
            &mut done,
        )
    };
    assert_eq!(
        (status, failure().as_str()),
        (ANTIPODE_FAILED, "panicked: no state 99")
    );
    close(handle);
}

#[test]
fn canonical_works_in_place() {
    let handle = open("plain", "").expect("opened");
    let canonical = odd().canonical.expect("canonical");
    let mut keys = [7_u64, 0, 3, 0];
    let data = keys.as_mut_ptr();
    let mut sizes = [0; 2];
    // SAFETY: two keys and two sizes; the table allows `out` to be `keys`.
    let status = unsafe { canonical(handle, data, 2, data, sizes.as_mut_ptr()) };
    assert_eq!((status, keys, sizes), (ANTIPODE_OK, [2, 0, 3, 0], [2, 2]));
    close(handle);
}

#[test]
fn a_sweep_of_unequal_lengths_is_not_read() {
    unsafe extern "C" fn emit(
        context: *mut c_void,
        _: *const u64,
        _: *const u16,
        count: usize,
        _: u32,
    ) -> i32 {
        // SAFETY: `context` is the counter below.
        unsafe { *context.cast::<usize>() += count };
        0
    }
    let sweep = odd().sweep.expect("sweep");
    for (instance, status, delivered) in [("plain", ANTIPODE_OK, 2), ("uneven", ANTIPODE_FAILED, 0)]
    {
        let handle = open(instance, "").expect("opened");
        let mut count = 0_usize;
        let sink = AntipodeSweepSink {
            context: (&raw mut count).cast(),
            emit: Some(emit),
        };
        // SAFETY: the counter lives across the call.
        let asked = |way, from, memory: &mut u64| unsafe {
            sweep(handle, way, from, 0, std::ptr::null(), 0, memory, sink)
        };
        let (back, none, key) = (ANTIPODE_BACKWARD, std::ptr::null(), [7, 0]);
        let mut memory = 99;
        assert_eq!(asked(back, none, &mut memory), ANTIPODE_STOPPED);
        assert_eq!(
            asked(ANTIPODE_FORWARD, none, &mut memory),
            ANTIPODE_UNSUPPORTED
        );
        assert_eq!(asked(back, key.as_ptr(), &mut memory), ANTIPODE_STOPPED);
        assert_eq!(memory, 107);
        assert_eq!((asked(back, none, &mut memory), memory), (status, 100));
        assert_eq!(count, delivered);
        close(handle);
    }
    assert_eq!(failure(), "delivered unequal numbers of keys and depths");
}

#[test]
fn a_sink_can_stop_and_figures_arrive_whole() {
    unsafe extern "C" fn stop(context: *mut c_void, _: *const u64, count: usize) -> i32 {
        // SAFETY: `context` is the counter below.
        unsafe { *context.cast::<usize>() += count };
        1
    }
    unsafe extern "C" fn figure(context: *mut c_void, name: AntipodeStr, value: AntipodeStr) {
        // SAFETY: `context` is the list below, and the texts live across the call.
        unsafe {
            let text = |text: AntipodeStr| {
                let bytes = std::slice::from_raw_parts(text.data.cast::<u8>(), text.length);
                String::from_utf8_lossy(bytes).into_owned()
            };
            (*context.cast::<Vec<(String, String)>>()).push((text(name), text(value)));
        }
    }
    let handle = open("plain", "").expect("opened");
    let mut count = 0_usize;
    let sink = AntipodeSink {
        context: (&raw mut count).cast(),
        emit: Some(stop),
    };
    let starts = odd().starts.expect("starts");
    // SAFETY: the counter lives across the call.
    let status = unsafe { starts(handle, sink) };
    assert_eq!(status, ANTIPODE_STOPPED);
    assert!(count > 0 && count < 10_000);
    close(handle);
    let mut figures: Vec<(String, String)> = Vec::new();
    let sink = AntipodeFigureSink {
        context: (&raw mut figures).cast(),
        emit: Some(figure),
    };
    let derive = table().derive.expect("derive");
    // SAFETY: the list and the texts live across the call.
    let (status, _) =
        with_text(|error| unsafe { derive(pass("what"), pass("n=1\n"), 0, sink, error) });
    assert_eq!(status, ANTIPODE_OK);
    assert_eq!(figures, [("value".to_owned(), "what\t1".to_owned())]);
}

fn close(handle: *mut c_void) {
    let close = odd().close.expect("close");
    // SAFETY: opened, and closed once.
    unsafe { close(handle) };
}
