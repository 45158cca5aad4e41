//! Tilt as a shared library. The harness has the same puzzle built in; the cost of the boundary is
//! the difference between the two (`harness/cli/examples/boundary_cost.rs`).

puzzle_api::export_puzzle!(antipode_tilt::TiltPuzzle: antipode_tilt::Bits, antipode_tilt::Rules);
