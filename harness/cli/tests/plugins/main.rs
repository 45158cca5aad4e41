//! Puzzles as shared libraries: the examples that ship with Antipode, and libraries
//! with faults.

#[cfg(unix)]
mod bench;
mod deep;
mod examples;
#[cfg(target_os = "linux")]
mod explore;
mod faulty;
mod fickle;
mod loading;
mod make;
mod readme;
#[cfg(target_os = "linux")]
mod supervised;
#[path = "../suite/support.rs"]
#[expect(dead_code, reason = "the suite uses all of it")]
mod support;
