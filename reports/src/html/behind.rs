//! Addresses of the files that are evidence for the claims of a page.

use std::path::{Component, Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) text: String,
    pub(super) href: String,
}

impl Link {
    pub(super) fn to(file: &Path, from: &Path) -> Self {
        let folder = file.parent().and_then(Path::file_name);
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Link {
            text: match folder {
                Some(folder) if folder != "certificates" => {
                    format!("{}/{name}", folder.to_string_lossy())
                }
                _ => name.into_owned(),
            },
            href: href(file, from),
        }
    }
}

/// The address of a file, from a page in a folder. Relative paths start at the current folder;
/// characters that could end or change an address are encoded.
pub(super) fn href(file: &Path, from: &Path) -> String {
    let (file, from) = match (file.is_absolute(), from.is_absolute()) {
        (false, false) => (file.to_owned(), from.to_owned()),
        _ => (absolute(file), absolute(from)),
    };
    let (file, from) = (parts(&file), parts(&from));
    let shared = file.iter().zip(&from).take_while(|(a, b)| a == b).count();
    let up = from.len() - shared;
    let names: Vec<String> = file[shared..]
        .iter()
        .map(|part| encoded(part, ""))
        .collect();
    "../".repeat(up) + &names.join("/")
}

/// A text with everything encoded that could end or change an address, except for some characters.
pub(super) fn encoded(text: &str, kept: &str) -> String {
    let encode = |byte: u8| match char::from(byte) {
        c if c.is_ascii_alphanumeric() || "-._~".contains(c) || kept.contains(c) => c.to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The names along a path; `..` removes the name before it, if there is one.
fn parts(path: &Path) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if parts.last().is_some_and(|last| last != "..") => {
                parts.pop();
            }
            part => parts.push(part.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_go_up_and_down() {
        let address = |file: &str, from: &str| href(Path::new(file), Path::new(from));
        assert_eq!(
            address("out/certificates/a.json", "out"),
            "certificates/a.json"
        );
        assert_eq!(address("certificates/a.json", ""), "certificates/a.json");
        assert_eq!(address("out/a b.csv", "pages/x"), "../../out/a%20b.csv");
        assert_eq!(address("./out/../b\".csv", "."), "b%22.csv");
        assert_eq!(address("/r/out/a.csv", "/r/site"), "../out/a.csv");
    }
}
