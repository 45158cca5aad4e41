#!/bin/sh
# Measures every variant and engine against each other and renews the marked tables of a README,
# among them which to use when. This takes as long as the suite does: minutes to hours.
#
#   ANTIPODE  the command      [antipode]
#   SUITE     the suite        [suites/matrix.toml beside this script]
#   README    the file with the marked tables   [README.md]
#   OUT       folder for samples and the page; rerun to resume a stopped run
#                              [antipode-which]
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
out=$(plain "${OUT:-antipode-which}")
suite=$(plain "${SUITE:-$here/suites/matrix.toml}")
readme=$(plain "${README:-README.md}")
code=0
"$antipode" bench "$suite" --out "$out" || code=$?
# Rows that failed or were not reached (1, 3, 4) belong in the tables; bad input does not.
if [ "$code" -eq 2 ]; then
    exit 2
fi
# The rulebook against the fast rules, pair by pair; a side that answered wrongly is in its table.
"$antipode" compare reference bitboard --results "$out" --out "$out" || test $? -ne 2
"$antipode" report "$out" --title "Which to use when" --out "$out" \
    --splice "$readme"
exit "$code"
