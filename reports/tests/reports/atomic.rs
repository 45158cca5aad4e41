//! Files appear whole or not at all, and failures name their remedy.

use crate::sample::{file, refused};
use antipode_reports::atomic::{content_and_mend, ensure_dir};
use antipode_reports::csv_out::write_rows;
use antipode_reports::model::Antipode;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn what_stops_a_write_is_told_with_its_mend() {
    let full = content_and_mend(&ErrorKind::StorageFull.into());
    assert!(full.starts_with("the disk is full; free some space"));
    let dry = io::Error::other("the source\nran dry");
    assert_eq!(content_and_mend(&dry), "the source ran dry");
}

/// A printed chain gives the reason once, and no temporary file is named.
#[test]
fn wrong_places_are_told_once_with_their_mend() {
    let (folder, plain) = file("plain");
    fs::write(&plain, "").unwrap();
    let whole = folder.path().to_owned();
    for (path, said) in [
        (whole.join("missing/x.csv"), "does not exist; create it"),
        (whole.clone(), "it is a folder; name a file inside it"),
        (
            plain.join("x.csv"),
            "something that is no folder is where one is needed",
        ),
        (whole.join("a".repeat(300)), "too long"),
        #[cfg(target_os = "linux")]
        (Path::new("/proc/x.csv").to_owned(), "choose another place"),
    ] {
        let error = write_rows::<Antipode>(&path, &[]).unwrap_err();
        assert_eq!(error.path(), path);
        assert!(std::error::Error::source(&error).is_none());
        assert!(!error.io_error().to_string().contains(".part"));
        let text = refused(Err::<(), _>(error), &[said]);
        let start = format!("cannot write {}: ", path.display());
        assert!(
            text.starts_with(&start) && !text.contains(".part"),
            "{text}"
        );
    }
    assert_eq!(names(folder.path()), ["plain"]);
}

#[cfg(unix)]
#[test]
fn devices_and_links_are_left_in_place() {
    let folder = folder();
    let device = write_rows::<Antipode>("/dev/null", &[]);
    refused(device, &["name a plain file"]);
    let (link, target) = (folder.path().join("link"), folder.path().join("target"));
    fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    write_rows::<Antipode>(&link, &[]).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let text = fs::read_to_string(&target).unwrap();
    assert_eq!(text, "depth,state,orbit_size\n");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_told_with_its_mend() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let path = folder.path().join("x.csv");
    if fs::File::create(&path).is_ok() {
        eprintln!("skipped: this user may write into read-only folders");
        return;
    }
    let told = "no permission to make files in";
    refused(write_rows::<Antipode>(&path, &[]), &[told]);
    refused(ensure_dir(folder.path()), &[told]);
    let there = format!("{told} {};", folder.path().display());
    refused(ensure_dir(folder.path().join("new/er")), &[&there]);
}

#[cfg(unix)]
#[test]
fn finished_files_are_as_readable_as_any_other() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
    write_rows::<Antipode>(&ours, &[]).unwrap();
    fs::write(&plain, "").unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&ours), mode(&plain));
}

#[test]
fn folders_are_made_and_probed() {
    let (_folder, deep) = file("a/b/c");
    ensure_dir(&deep).unwrap();
    ensure_dir(&deep).unwrap();
    assert!(names(&deep).is_empty(), "the probe is cleared away");
    fs::write(deep.join("plain"), "").unwrap();
    for path in [deep.join("plain"), deep.join("plain/below")] {
        refused(
            ensure_dir(&path),
            &["something that is no folder is where one is needed"],
        );
    }
}
