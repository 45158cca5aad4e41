#!/usr/bin/env bash
# Engine cluster beside engine disk on every puzzle, both directions, by 1, 2, 3, 4 and 8
# processes of 1 and 2 threads: the same level table, byte for byte, and paths of the same
# length. Usage: .ci/cluster-matrix.sh [COMMAND], some three minutes of two cores with a release build.
set -euo pipefail
command="$(realpath "${1:-target/release/antipode}")"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf 'ooooo\nooooo\nooooo\nooooo\n' >pegs.txt

# A question, and where to begin forward if the instance has no start of its own.
levels="tilt/card-7 |
coin-sliding/5x7 --set from=I --set to=1 --max-depth 5 |
peg-solitaire/diamond-41 --max-depth 8 |
sliding-block/donkey |
rush-hour/card-7 |
rush-hour/4x4 | ..../AA.B/...B/....
sliding-tile/2x4 | .721/4365
pancake/plain-7 | 4567321
hanoi/4-6 |
lights-out/4x4 | oooo/o..o/..../....
permutation/pyraminx --max-depth 8 | 126435/000011/1234/0001"
paths="tilt/card-7
coin-sliding/custom --set from=oo../o.../o.../o..o --set to=oooo/oo../..../....
peg-solitaire/custom --set board=pegs.txt --set from=0:0
sliding-block/donkey
rush-hour/card-7
sliding-tile/3x3 --board 867/254/3.1
pancake/plain-7 --board 4567321
hanoi/4-6
permutation/pyraminx --board 125463/001010/1234/0002"

run() { # NAME QUESTION…: the exit code says what came of it
    "$command" "${@:2}" --memory 128MiB --quiet --force --out "$1" >said 2>&1 && return
    local code=$?
    [ "$code" = 4 ] || echo "exit $code: ${*:2}: $(tail -n 1 said)"
    return "$code"
}
failed=0 compared=0
compare() { # FILE QUESTION…
    local file="$1" crew threads
    shift
    rm -rf work disk
    if ! run disk "$@" --engine disk --threads 1; then
        # Some have no list of solved states to begin from.
        grep -q "give a state by --from" said || failed=1
        return
    fi
    for crew in 1 2 3 4 8; do
        for threads in 1 2; do
            rm -rf crew work
            if run crew "$@" --engine cluster --processes "$crew" --threads "$threads" \
                && same "$file"; then
                compared=$((compared + 1))
            else
                echo "differs: $* --processes $crew --threads $threads"
                failed=1
            fi
        done
    done
}
same() {
    case "$1" in
        levels.csv) cmp disk/levels.csv crew/levels.csv ;;
        path.csv) [ "$(wc -l <disk/path.csv)" = "$(wc -l <crew/path.csv)" ] ;;
    esac
}
while IFS='|' read -r question start; do
    read -r -a question <<<"$question"
    read -r -a start <<<"${start:+--from $start}"
    compare levels.csv analyse "${question[@]}" --direction forward "${start[@]}" --work work
    compare levels.csv analyse "${question[@]}" --direction backward --work work
done <<<"$levels"
while read -r -a question; do
    compare path.csv solve "${question[@]}"
done <<<"$paths"
echo "$compared runs of engine cluster agree with engine disk"
exit "$failed"
