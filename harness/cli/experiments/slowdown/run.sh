#!/usr/bin/env bash
# How often is a planted slowdown caught?
#
#   run.sh ANTIPODE [RUNS] >slowdown.csv
#
# A library lists moves with a known amount of work. A baseline is made, the library is built
# again with more work in one variant, and the gate (limit 1.10) is asked RUNS times for each
# amount: with none it has to let pass, with 20 % it has to shut every time.
set -euo pipefail
antipode=$(readlink -f "$1")
runs=${2:-10}
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/suite.toml" "$work/"
cd "$work"
build() {
    "${CC:-cc}" -std=gnu99 -O1 -shared -fPIC "-DPERCENT=$1" -I "$root/puzzle-api/include" \
        "$root/harness/cli/tests/faulty_plugins/burn.c" -o burn.so
}
build 100
"$antipode" regress --baseline baseline.toml --update --suite suite.toml --reference reference \
    --reason "before anything was planted" >&2
echo "percent,run,seed,exit_code,ratio,low,high,p,limit,load1"
failed=0
for percent in 100 110 120; do
    build "$percent"
    for run in $(seq 1 "$runs"); do
        seed=$((percent * 1000 + run))
        load=$(cut -d' ' -f1 /proc/loadavg)
        code=0
        "$antipode" regress --baseline baseline.toml --seed "$seed" --out out >/dev/null 2>&1 || code=$?
        figures=$(awk -F, 'NR == 2 { printf "%.5f,%.5f,%.5f,%.5f,1.1", $5, $6, $7, $9 }' out/regress.csv)
        echo "$percent,$run,$seed,$code,$figures,$load"
        rm -rf out
        # At 110 % the truth lies on the limit: either is right.
        case $percent-$code in 100-0 | 110-* | 120-1) ;; *) failed=$((failed + 1)) ;; esac
    done
done
echo "$failed of $((2 * runs)) runs at 100 % and 120 % were judged wrongly" >&2
[ "$failed" = 0 ]
