//! The other load of the machine, as far as the system reports it.

use std::fs;

use antipode_search::machine;

/// Processes ready to run, averaged over a minute.
pub(super) fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// How often the processors were throttled so far, for heat or by the control group's quota.
pub(super) fn throttled() -> Option<u64> {
    let heat = |core| -> Option<u64> {
        let folder = format!("/sys/devices/system/cpu/cpu{core}/thermal_throttle");
        let text = fs::read_to_string(folder + "/core_throttle_count").ok()?;
        text.trim().parse().ok()
    };
    let quota = || -> Option<u64> {
        let text = fs::read_to_string("/sys/fs/cgroup/cpu.stat").ok()?;
        let (_, count) = text.split_once("nr_throttled ")?;
        count.split_whitespace().next()?.parse().ok()
    };
    let all = (0..machine::cores()).filter_map(heat).chain(quota());
    all.reduce(|sum, count| sum + count)
}

/// Possible disturbances of the figures, checked before anything is measured.
pub(super) fn warnings() -> Vec<String> {
    let mut all = Vec::new();
    let cores = machine::cores() as f64;
    if let Some(load) = load().filter(|load| *load > cores / 4.0) {
        all.push(format!(
            "the machine is busy: {load:.2} processes ready to run on {cores} cores before the first sample"
        ));
    }
    let file = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    let governor = fs::read_to_string(file).unwrap_or_default();
    let governor = governor.trim();
    if !governor.is_empty() && governor != "performance" {
        all.push(format!(
            "the clock follows the load (scaling governor {governor}, not performance)"
        ));
    }
    if cfg!(debug_assertions) {
        all.push("this executable was built with debug assertions; times are not those of a release build".to_owned());
    }
    all
}
