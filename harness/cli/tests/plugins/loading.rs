//! Nothing is loaded that the user did not name, and an unloadable file is refused with one line.

use std::fs;

use std::path::Path;

use crate::make::{ring, scratch};
use crate::support::{Ran, Text, antipode, words};

/// No folder and no environment variable makes a library known. A bare name is a file in the
/// current folder, not one on the loader's path.
#[test]
fn nothing_is_loaded_that_was_not_named() {
    let folder = scratch("search_path");
    let elsewhere = scratch("elsewhere");
    for folder in [&folder, &elsewhere] {
        fs::create_dir_all(folder).expect("a folder");
    }
    ring(&[], "search_path/libring.so");
    let listed = |arguments: &[&str], current: &Path| -> Ran {
        let mut command = antipode();
        for variable in words(
            "LD_LIBRARY_PATH DYLD_LIBRARY_PATH PATH ANTIPODE_PLUGIN ANTIPODE_PLUGINS \
             ANTIPODE_PLUGIN_PATH ANTIPODE_PATH HOME XDG_DATA_HOME XDG_CONFIG_HOME",
        ) {
            command.env(variable, &folder);
        }
        command.arg("list").args(arguments).current_dir(current);
        command.output().expect("antipode runs").into()
    };
    for current in [&folder, &elsewhere] {
        let out = listed(&[], current).ended(0).out;
        assert!(!out.lines().any(|line| line.starts_with("ring ")), "{out}");
    }
    // Named, it is loaded from the current folder, and from nowhere else.
    let there = listed(&["--plugin", "libring.so"], &folder).ended(0);
    there.out.has(["ring 1.0.0"]);
    listed(&["--plugin", "libring.so"], &elsewhere).ended(2);
}
