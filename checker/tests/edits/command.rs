//! The command line, and a full disk.

use std::fs::OpenOptions;
use std::process::Command;

#[test]
fn the_command_takes_options_as_others_do() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for (line, code, said) in [
        ("--version", 0, "antipode-checker 0."),
        ("--parts=5 --seed=1 none", 2, "none: cannot be read"),
        ("--parts=x none", 2, "--parts needs a number"),
        ("-- --none", 2, "--none: cannot be read"),
        ("--none", 2, "no option --none"),
        ("--help", 0, "usage: "),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_antipode-checker"));
        command.args(line.split(' '));
        let ran = command.output().unwrap();
        let text = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
        assert_eq!(ran.status.code(), Some(code), "{line}: {text}");
        assert!(text.starts_with(said), "{line}: {text}");
        let code = if code == 0 { 4 } else { code };
        let status = command.stdout(full()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{line}");
    }
}
