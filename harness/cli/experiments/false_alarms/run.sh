#!/usr/bin/env bash
# How often does the gate shut although nothing has changed?
#
#   run.sh ANTIPODE [RUNS] >false-alarms.csv
#
# Makes a baseline with the executable, then runs `regress` with the very same executable RUNS
# times by the baseline's ratios and RUNS times with --against itself, each time with another
# seed. The gate states that at most 5 runs in 100 are false alarms; fails where more are.
set -euo pipefail
antipode=$(readlink -f "$1")
runs=${2:-50}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/suite.toml" "$work/"
cd "$work"
"$antipode" regress --baseline baseline.toml --update --suite suite.toml \
    --reason "reference of the false alarms" >&2
echo "run,reference,seed,exit_code,rows,greatest_ratio,least_p,limit,noise_band,load1"
alarms=0
for run in $(seq 1 "$runs"); do
    for reference in baseline against; do
        seed=$((1000 + 2 * run))
        against=()
        if [ "$reference" = against ]; then
            seed=$((seed + 1))
            against=(--against "$antipode")
        fi
        load=$(cut -d' ' -f1 /proc/loadavg)
        code=0
        "$antipode" regress --baseline baseline.toml --seed "$seed" --out "out-$seed" \
            "${against[@]}" >"out-$seed.txt" 2>&1 || code=$?
        # 1 is an alarm; 4, that a time was not judged for noise, counts as one here.
        case $code in 0 | 1 | 4) ;; *) cat "out-$seed.txt" >&2; exit "$code" ;; esac
        [ "$code" = 0 ] || { alarms=$((alarms + 1)); cat "out-$seed.txt" >&2; }
        # Columns of regress.csv: 5 is the ratio, 9 the probability, 13 the noise band.
        figures=$(awk -F, 'NR > 1 { n++; if ($5 > most) most = $5; if (n == 1 || $9 < p) p = $9; band = $13 }
            END { printf "%d,%.5f,%.5f,1.1,%.5f", n, most, p, band }' \
            "out-$seed/regress.csv")
        echo "$run,$reference,$seed,$code,$figures,$load"
        rm -rf "out-$seed" "out-$seed.txt"
    done
done
total=$((2 * runs))
echo "$alarms false alarms in $total runs (at most 5 in 100 are stated)" >&2
[ $((alarms * 100)) -le $((total * 5)) ]
