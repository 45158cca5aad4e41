#!/bin/sh
# The gate: measures the suite of a baseline and fails on a wrong answer (exit 3), on a counter,
# memory, instructions or a time grown beyond its limit (1), on bad input (2) or where something was
# not reached (4). A page with all figures is written either way.
#
#   ci/regress.sh [OPTION OF regress …]     such as --rows 'box*' or --against libmine.so=old/libmine.so
#
#   ANTIPODE  the command                                [antipode]
#   BASELINE  the baseline                               [baselines/small.toml beside this script]
#   AGAINST   a second executable, such as that of the main branch, measured in the same
#             rounds; times are then held against it    [none: against the baseline's ratios]
#   OUT       folder for samples and the page            [antipode-ci]
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# A file or folder of the current folder, so that no name is taken for an option.
plain() {
    case $1 in
    -*) printf './%s\n' "$1" ;;
    *) printf '%s\n' "$1" ;;
    esac
}
antipode=$(plain "${ANTIPODE:-antipode}")
if ! command -v "$antipode" >/dev/null; then
    echo "$(basename -- "$0"): no command '$antipode'; install antipode, or name it by ANTIPODE=PATH" >&2
    exit 2
fi
baseline=$(plain "${BASELINE:-$here/baselines/small.toml}")
out=$(plain "${OUT:-antipode-ci}")

# Samples of an earlier gate say nothing of what is built now.
rm -f -- "$out/report.html"
rm -rf "$out/regress"
set -- regress --baseline "$baseline" --out "$out/regress" "$@"
if [ -n "${AGAINST:-}" ]; then
    set -- "$@" --against "$(plain "$AGAINST")"
fi
code=0
"$antipode" "$@" || code=$?
# Without samples (bad input) there is nothing to report, and the gate has said why.
if [ -e "$out/regress/samples.csv" ]; then
    "$antipode" report "$out/regress" --title "Regression check" --out "$out"
fi
exit "$code"
