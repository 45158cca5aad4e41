//! The `antipode` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    antipode::cli::main()
}
