#!/bin/sh
# Measures every variant and engine against each other and renews the marked tables of a README,
# among them which to use when. This takes as long as the suite does: minutes to hours.
#
#   ANTIPODE  the command      [antipode]
#   SUITE     the suite        [suites/matrix.toml beside this script]
#   README    the file with the marked tables   [README.md]
#   OUT       folder for samples and the page; rerun to resume a stopped run
#                              [antipode-which]
. "$(dirname -- "$0")/common.sh"
out=$(plain "${OUT:-antipode-which}")
suite=$(plain "${SUITE:-$here/suites/matrix.toml}")
readme=$(plain "${README:-README.md}")
if [ ! -f "$readme" ] || ! grep -q '<!-- antipode:table' "$readme"; then
    refuse "$readme: no marked table to renew is there; add <!-- antipode:table which --> and <!-- antipode:end -->, or name the file by README=FILE"
fi
run bench "$suite" --out "$out"
# Rows that failed or were not reached (1, 3, 4) belong in the tables; bad input does not.
if [ "$worst" -eq 2 ]; then
    exit
fi
# The rulebook against the fast rules, pair by pair; a side that answered wrongly is in its table.
"$antipode" compare reference bitboard --results "$out" --out "$out" || test $? -ne 2 ||
    echo "$(basename -- "$0"): left out: the comparison of reference and bitboard" >&2
run report "$out" --title "Which to use when" --out "$out" --splice "$readme"
ended=$worst
