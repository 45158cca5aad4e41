#!/bin/sh
# The gate: measures the suite of a baseline and fails on a wrong answer (exit 3), on a counter,
# memory, instructions or a time grown beyond its limit (1), on bad input (2) or where something was
# not reached (4). A page with all figures is written either way.
#
#   ci/regress.sh [OPTION OF regress …]     such as --rows 'box*' or --against libmine.so=old/libmine.so
#
#   ANTIPODE  the command                                [antipode]
#   BASELINE  the baseline                               [baselines/small.toml beside this script]
#   AGAINST   another build, such as that of the main branch, measured in the same rounds: a second
#             executable, or libmine.so=old/libmine.so; times are then compared with its
#                                                      [none: with the baseline's ratios]
#   OUT       folder for samples and the page            [antipode-ci]
#   HISTORY   a CSV that grows: the rows are added to it under COMMIT, and it is printed at which
#             commit each row changed; a chart stands beside it, FILE.svg     [none]
#   COMMIT    what this commit is called                 [that of git]
# The summary of the result, in Markdown, is OUT/regress/summary.md.
. "$(dirname -- "$0")/common.sh"
baseline=$(plain "${BASELINE:-$here/baselines/small.toml}")
out=$(plain "${OUT:-antipode-ci}")
if [ -n "${HISTORY:-}" ]; then
    commit=${COMMIT:-$(git rev-parse --short HEAD)}
fi

# Samples of an earlier gate say nothing of what is built now.
"$here/forget.sh" "$out/regress"
if grep -qs 'name="generator" content="Antipode ' "$out/report.html"; then
    rm -f -- "$out/report.html"
fi
set -- regress --baseline "$baseline" --out "$out/regress" "$@"
if [ -n "${AGAINST:-}" ]; then
    set -- "$@" --against "$(plain "$AGAINST")"
fi
run "$@"
# Without samples (bad input) there is nothing to report, and the gate has said why.
if [ -e "$out/regress/samples.csv" ]; then
    run report "$out/regress" --title "Regression check" --out "$out"
    # Rows that ended badly are left out there.
    if [ -n "${HISTORY:-}" ] && grep -q ',ok,' "$out/regress/samples.csv"; then
        run report "$out/regress" --history "$(plain "$HISTORY")" --commit "$commit"
    fi
fi
ended=$worst
