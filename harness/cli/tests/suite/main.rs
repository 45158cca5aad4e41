//! Antipode from outside: the library's engines and checks on real instances, and the
//! command as a user runs it.

mod bad_input;
#[cfg(unix)]
mod bench;
mod boards;
mod circles;
mod claims;
#[cfg(unix)]
mod cluster;
#[cfg(unix)]
mod compare;
#[cfg(unix)]
mod criterion;
mod dense;
mod disk;
#[cfg(unix)]
mod disk_folder;
#[cfg(unix)]
mod engines;
#[cfg(unix)]
mod evidence;
mod faults;
mod finders;
mod findings;
mod floors;
#[cfg(unix)]
mod gate;
mod inner_loops;
#[cfg(unix)]
mod kills;
mod language;
mod make;
#[cfg(unix)]
mod meet;
mod outputs;
mod own_claims;
mod pairs;
mod pictures;
mod plan;
mod properties;
mod published;
mod questions;
#[cfg(unix)]
mod readmes;
#[cfg(unix)]
mod referee;
mod registry;
mod report;
#[cfg(unix)]
mod resume;
#[cfg(target_os = "linux")]
mod rules;
mod shards;
#[cfg(unix)]
mod stopped;
mod support;
mod terminal;
mod verification;
