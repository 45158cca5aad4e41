#![allow(dead_code, missing_docs)]
#[path = "suite/boards.rs"]
mod boards;
#[path = "suite/readmes.rs"]
mod readmes;
#[path = "suite/support.rs"]
mod support;
