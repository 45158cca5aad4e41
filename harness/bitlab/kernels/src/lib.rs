//! Programs of the bit lab as compiled Rust, for benches, instruction counts and tests. The
//! strategies print them while this crate is built (`build.rs`), each proven before.

/// Every strategy on [`NAMED`](../../src/permute/mod.rs), but for byte tables, which are built
/// when a bench starts, and the printed formula, which is wrong.
#[rustfmt::skip]
#[allow(unsafe_code)]
pub mod permute {
    include!(concat!(env!("OUT_DIR"), "/permute.rs"));
}

/// The board symmetries of Tilt on its key of two masks of 25 bits: `mirror`, `flip` and
/// `transpose` by four strategies, and all images but the key itself by bit shuffles.
#[rustfmt::skip]
#[allow(unsafe_code)]
pub mod tilt {
    include!(concat!(env!("OUT_DIR"), "/tilt.rs"));
}
