//! Sizes of memory and disk: reading and writing them, and what the machine has.

use std::fs;

/// Bytes in readable form: `9.10 GiB`.
pub fn human(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} B"),
        _ => format!("{size:.2} {}", UNITS[unit]),
    }
}

/// Reads a size such as `20GiB`, `512MiB`, `2GB`, `1.5 GiB` or `1000000`.
///
/// # Errors
/// One line with the allowed forms.
pub fn parse(text: &str) -> Result<u64, String> {
    let refuse =
        || format!("'{text}' is no size: write a number and a unit, such as 2GiB, 512MiB or 1.5TB");
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let digits = compact
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(compact.len());
    let (number, unit) = compact.split_at(digits);
    let number: f64 = number.parse().map_err(|_| refuse())?;
    let factor: f64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return Err(refuse()),
    };
    let bytes = number * factor;
    if !(1.0..1e18).contains(&bytes) {
        return Err(format!(
            "'{text}' is no size: give at least 1 byte and less than 10^18, such as 2GiB"
        ));
    }
    Ok(bytes as u64)
}

/// Memory that this process can still take without evicting others. It is what the kernel calls
/// available, or the rest of the control group's or the process's own limit (`ulimit -v`) if that
/// is less. `None` if the system does not report it.
pub fn available() -> Option<u64> {
    let machine = figure("/proc/meminfo", "MemAvailable:")?;
    let group = control_group_left().unwrap_or(u64::MAX);
    let own = address_space_left().unwrap_or(u64::MAX);
    Some(machine.min(group).min(own))
}

/// The rest of the process's own memory limit; `None` if it has none. Beyond this limit, the system
/// provides nothing; beyond the available memory, it only gets slow.
pub fn address_space_left() -> Option<u64> {
    let limit = address_space_limit()?;
    Some(limit.saturating_sub(figure("/proc/self/status", "VmSize:")?))
}

/// Read by a system call and not from `/proc/self/limits`, which lists all limits as text: this is
/// called several times before a search begins.
#[cfg(unix)]
fn address_space_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

#[cfg(not(unix))]
fn address_space_limit() -> Option<u64> {
    None
}

/// The bytes that a file of the system gives, in kibibytes, on the line that begins with a name.
pub(crate) fn figure(file: &str, name: &str) -> Option<u64> {
    Some(first_number(&fs::read_to_string(file).ok()?, name)? * 1024)
}

/// The first number of the line that begins with a name.
fn first_number(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

fn control_group_left() -> Option<u64> {
    let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    let limit: u64 = read("memory.max")?.trim().parse().ok()?;
    let used: u64 = read("memory.current")?.trim().parse().ok()?;
    Some(limit.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::{first_number, human, parse};

    #[test]
    fn sizes_read_as_they_are_written() {
        assert_eq!(parse("2GiB"), Ok(2 << 30));
        assert_eq!(parse("1.5 KiB"), Ok(1536));
        assert_eq!(parse("2gb"), Ok(2_000_000_000));
        assert_eq!(parse("17"), Ok(17));
        assert_eq!(human(17), "17 B");
        assert_eq!(human(9 << 30), "9.00 GiB");
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in [
            "", "GiB", "-1GiB", "1,5GiB", "2 apples", "0", "nan", "inf", "1e30",
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(text) && error.contains("2GiB"), "{error}");
        }
    }

    #[test]
    fn figures_are_read_by_name() {
        let limits = "Max cpu time  unlimited  unlimited  seconds\nMax address space  4096  unlimited  bytes\n";
        assert_eq!(first_number(limits, "Max address space"), Some(4096));
        assert_eq!(first_number(limits, "Max cpu time"), None);
        assert_eq!(first_number("VmHWM:\t  12 kB\n", "VmHWM:"), Some(12));
        assert_eq!(first_number("", "VmHWM:"), None);
    }
}
