//! Tilt as a shared library. The harness holds the same puzzle built in; what the
//! boundary costs is the difference between the two (`harness/examples/boundary_cost.rs`).

puzzle_api::export_puzzle!(antipode_tilt::TiltPuzzle: antipode_tilt::Bits, antipode_tilt::Rules);
