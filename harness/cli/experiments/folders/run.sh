#!/usr/bin/env bash
# How often does `compare` call a row faster or slower, between two runs of one executable?
#
#   run.sh ANTIPODE [RUNS] >folders.csv
#
# Measures the suite RUNS times and compares every pair of runs: by the band between runs, and
# by the noise within the two runs alone, which is what `compare` went by once. States at most 1
# pair of 55 with a verdict; fails if there are more.
set -euo pipefail
antipode=$(readlink -f "$1")
runs=${2:-11}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
declare -A load
for run in $(seq 1 "$runs"); do
    load[$run]=$(cut -d' ' -f1 /proc/loadavg)
    "$antipode" --quiet bench "$here/suite.toml" --seed "$run" --out "$run" >/dev/null
done
# Greatest band of processor time within two runs.
within() {
    grep -h -A5 '"measure": "cpu_s"' "$1/run.json" "$2/run.json" |
        sed -n 's/.*"band": \([0-9.]*\).*/\1/p' | sort -g | tail -n 1
}
# Rows with a verdict, the greatest ratio (or its inverse), and the band.
judged() {
    rm -rf out
    "$antipode" --quiet compare "$@" --out out >/dev/null
    awk -F, 'NR > 1 { r = $5 > 1 ? $5 : 1 / $5; if (r > most) most = r; band = $13
        if ($14 == "faster" || $14 == "slower") n++ } END { printf "%d,%.4f,%.4f", n, most, band }' out/comparison.csv
}
echo "a,b,load1_a,load1_b,verdicts,greatest_ratio,band,verdicts_within,greatest_ratio,band_within"
pairs=0 wrong=0
for a in $(seq 1 "$runs"); do
    for b in $(seq $((a + 1)) "$runs"); do
        between=$(judged "$a" "$b")
        alone=$(judged "$a" "$b" --band "$(within "$a" "$b")")
        echo "$a,$b,${load[$a]},${load[$b]},$between,$alone"
        pairs=$((pairs + 1))
        case $between in 0,*) ;; *) wrong=$((wrong + 1)) ;; esac
    done
done
echo "$wrong of $pairs pairs with a verdict (at most 1 of 55 is stated)" >&2
[ $((wrong * 55)) -le "$pairs" ]
