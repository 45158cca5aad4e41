//! Nothing is loaded that the user did not name, and an unloadable file is refused with one line.

use std::fs;

use crate::make::{antipode, c, scratch, stdout};

fn refused(name: &std::path::Path, message: &str) {
    let run = antipode()
        .args(["list", "--plugin"])
        .arg(name)
        .output()
        .expect("antipode runs");
    stdout(&run, 2);
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(error.contains(message), "{error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
}

#[test]
fn a_text_is_no_library() {
    let file = scratch("no_library.so");
    fs::write(&file, "not a library\n").expect("a file");
    refused(&file, "is not a shared library that loads here");
}

#[test]
fn a_folder_and_a_missing_file_are_no_libraries() {
    refused(&scratch(""), "is not a file");
    refused(&scratch("missing.so"), "cannot be read: No such file");
}

#[test]
fn an_unknown_instance_has_a_nearest_one() {
    let library = c(
        "harness/cli/tests/faulty_plugins/ring.c",
        &["-std=gnu99"],
        "ring_names.so",
    );
    let run = antipode()
        .args(["test-plugin", "--instance", "25"])
        .arg(&library)
        .output();
    let run = run.expect("antipode runs");
    stdout(&run, 2);
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(error.contains("no instance of ring '25'"), "{error}");
    let run = antipode()
        .args(["test-plugin", "--set", "a=b"])
        .arg(&library)
        .output();
    let run = run.expect("antipode runs");
    stdout(&run, 2);
    assert!(String::from_utf8_lossy(&run.stderr).contains("takes no settings"));
}

/// No folder and no environment variable makes a library known. A bare name is a file in the
/// current folder, not one on the loader's path.
#[test]
fn nothing_is_loaded_that_was_not_named() {
    let folder = scratch("search_path");
    let elsewhere = scratch("elsewhere");
    for folder in [&folder, &elsewhere] {
        fs::create_dir_all(folder).expect("a folder");
    }
    c(
        "harness/cli/tests/faulty_plugins/ring.c",
        &["-std=gnu99"],
        "search_path/libring.so",
    );
    let listed = |arguments: &[&str], current: &std::path::Path| {
        let mut command = antipode();
        for variable in [
            "LD_LIBRARY_PATH",
            "DYLD_LIBRARY_PATH",
            "PATH",
            "ANTIPODE_PLUGIN",
            "ANTIPODE_PLUGINS",
            "ANTIPODE_PLUGIN_PATH",
            "ANTIPODE_PATH",
            "HOME",
            "XDG_DATA_HOME",
            "XDG_CONFIG_HOME",
        ] {
            command.env(variable, &folder);
        }
        command
            .arg("list")
            .args(arguments)
            .current_dir(current)
            .output()
            .expect("antipode runs")
    };
    for current in [&folder, &elsewhere] {
        let out = stdout(&listed(&[], current), 0);
        assert!(!out.lines().any(|line| line.starts_with("ring ")), "{out}");
    }
    // Named, it is loaded from the current folder, and from nowhere else.
    assert!(stdout(&listed(&["--plugin", "libring.so"], &folder), 0).contains("ring 1.0.0"));
    stdout(&listed(&["--plugin", "libring.so"], &elsewhere), 2);
}
