//! Puzzles as shared libraries: the examples that ship with Antipode, and libraries that
//! lie.

#[cfg(unix)]
mod bench;
mod examples;
mod liars;
mod loading;
mod make;
mod readme;
#[cfg(target_os = "linux")]
mod supervised;
