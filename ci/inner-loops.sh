#!/bin/sh
# Runs the criterion benches of a checkout and adds their figures, and where `perf` is allowed the
# instructions of every row, to the samples of a suite: one CSV for all.
#
#   ANTIPODE  the command      [antipode]
#   SUITE     the suite        [suites/small.toml beside this script]
#   OUT       results folder   [antipode-ci/inner-loops]
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
antipode=${ANTIPODE:-antipode}
out=${OUT:-antipode-ci/inner-loops}
cargo bench --workspace
"$antipode" bench "${SUITE:-$here/suites/small.toml}" --out "$out" --instructions \
    --criterion "${CARGO_TARGET_DIR:-target}/criterion"
"$antipode" report "$out" --title "Inner loops" --out "$out/report.html"
