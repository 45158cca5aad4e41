#!/bin/sh
# Compares what the program answers today with the golden record in golden/, and prints every line
# that differs. Structural work leaves the record unchanged, or its commit says why a line changed.
#
#   golden.sh [--renew] [PART]...    parts: levels, solves, claims [all]
#
#   --renew         writes the parts anew instead
#   ANTIPODE        the command                                      [antipode]
#   ANTIPODE_CHECKER  the checker                                    [antipode-checker]
#   GOLDEN          folder of the record                             [golden/ beside this script]
#   ONLY            instances to compare: a puzzle or PUZZLE/INSTANCE, in levels and solves  [all]
#
# Exit codes: 0 nothing differs, 1 something does, 2 bad input.
#
# levels.csv: every listed instance in both directions. solves.csv: every start and named board.
# Where an instance has no start (or no solved states to list), its board in `list` stands in.
# What took over 5 CPU seconds (levels) or 2 (solves) when the row was made is not run again: to
# decide anew, delete the row and renew. verdicts.csv: all claims at quick effort; rows of tables
# of lengths that were not reached are one line a table. checker.csv: the checker on that folder.
set -eu
LC_ALL=C
export LC_ALL
name=$(basename -- "$0")
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
antipode=${ANTIPODE:-antipode}
checker=${ANTIPODE_CHECKER:-antipode-checker}
golden=${GOLDEN:-$here/golden}
only=${ONLY:-}
fail() {
    echo "$name: $1" >&2
    exit 2
}
renew=
parts=
for word in "$@"; do
    case $word in
    --renew) renew=1 ;;
    levels | solves | claims) parts="$parts $word" ;;
    *) fail "'$word' is no part; take --renew, levels, solves or claims" ;;
    esac
done
if [ -n "$only" ]; then
    case $renew$parts in
    *1* | *claims*) fail "ONLY compares levels and solves; leave it out for claims and --renew" ;;
    esac
    parts=${parts:-levels solves}
fi
parts=${parts:-levels solves claims}
command -v "$antipode" >/dev/null ||
    fail "no command '$antipode'; install antipode, or name it by ANTIPODE=PATH"
case $parts in
*claims*) command -v "$checker" >/dev/null ||
    fail "no command '$checker'; install antipode-checker, or name it by ANTIPODE_CHECKER=PATH" ;;
esac
[ -n "$renew" ] || [ -d "$golden" ] || fail "no record at '$golden'; write one by $0 --renew"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
mkdir -p "$work/new" "$golden"

# Names of instances, from the listing's JSON, one a line.
instances() {
    "$antipode" list --format json | awk -F '"' -v only="$only" '
        /^      "instances": \[/ { listed = 1; n = 0 }
        /^      \]/ { listed = 0 }
        listed && $2 == "name" { names[++n] = $4 }
        /^      "name": / {
            for (i = 1; i <= n; i++) {
                path = $4 "/" names[i]
                if (only == "" || only == $4 || only == path) print path
            }
            n = 0
        }'
}
# The listing's example board of an instance, or its names of boards.
board_of() {
    "$antipode" list "$1" --format json | awk -F '"' '/^        "board": "/ { print $4; exit }'
}
names_of() {
    "$antipode" list "$1" --format json |
        awk -F '"' '/^      "names": \[$/ { listed = 1; next } /^      \]/ { listed = 0 } listed { print $2 }'
}
# Runs the command with a limit of CPU seconds: its exit code in $code, what it says in $said.
run() {
    limit=$1
    shift
    code=0
    said=
    (
        # The soft limit alone: beyond the hard one the signal is that of a machine without memory.
        ulimit -S -t "$limit"
        "$antipode" "$@"
    ) >"$work/out" 2>"$work/err" </dev/null || code=$?
    if [ "$code" -gt 128 ]; then
        said="over $limit CPU seconds"
        [ "$code" = 152 ] || said="ended by signal $((code - 128))"
    elif [ "$code" != 0 ]; then
        said=$(sed -n 's/^antipode: //; s/"/'"'"'/g; 1p' "$work/err")
        said="\"exit code $code: $said\""
    fi
    case $code$said in
    137* | *' of memory'*)
        echo "$name: short of memory, which is no answer: $*" | tee -a "$work/faults" >&2
        ;;
    esac
}
# Prints the row of the record that begins with the second argument, or the fourth if there is one,
# and was over its limit. Else sets the limit: that of a new row, or a generous one if the row was
# within it.
kept_as_over() {
    row=$(awk -v key="$2" -v other="${4:-$2}" 'index($0, key) == 1 || index($0, other) == 1' "$golden/$1" 2>/dev/null || true)
    limit=$3
    case $row in
    *,over\ *)
        printf '%s\n' "$row"
        return
        ;;
    ?*) limit=120 ;;
    esac
    return 1
}

levels() {
    echo 'instance,direction,from,outcome,levels,states,unsolvable,digest of levels.csv'
    while IFS= read -r instance; do
        for direction in backward forward; do
            if kept_as_over levels.csv "$instance,$direction," 5; then
                continue
            fi
            from=
            set -- analyse "$instance" --direction "$direction" --quiet --out "$work/run"
            rm -rf "$work/run"
            run "$limit" "$@"
            if [ "$code" = 2 ]; then
                from=$(board_of "$instance")
                [ -z "$from" ] || run "$limit" "$@" "--from=$from"
            fi
            printf '%s,%s,%s,' "$instance" "$direction" "$from"
            if [ "$code" != 0 ]; then
                printf '%s,,,,\n' "$said"
                continue
            fi
            digest=$(awk -F '"' '$2 == "path" { file = $4 } $2 == "blake3" && file == "levels.csv" { print $4 }' "$work/run/manifest.json")
            awk -F, -v digest="$digest" '
                $1 == "unsolvable" { unsolvable = $2; next }
                NR > 1 { levels++; states += $2 }
                END { printf "levels,%d,%.0f,%s,%s\n", levels, states, unsolvable, digest }
            ' "$work/run/levels.csv"
        done
    done <"$work/instances"
}

solves() {
    echo 'instance,from,to,outcome,length'
    while IFS= read -r instance; do
        board=$(board_of "$instance")
        # Where there is no goal before one is named, all boards go to the first of them.
        names_of "$instance" >"$work/names"
        first=$(sed -n 1p "$work/names")
        to=
        { echo; cat "$work/names"; } >"$work/starts"
        while IFS= read -r from; do
            if kept_as_over solves.csv "$instance,$from," 2 "$instance,${from:-$board},"; then
                continue
            fi
            set -- solve "$instance" --quiet --format json
            [ -z "$from" ] || set -- "$@" "--from=$from"
            [ -z "$to" ] || set -- "$@" "--to=$to"
            run "$limit" "$@"
            if [ "$code" = 2 ] && [ -z "$from" ] && [ -n "$board" ]; then
                from=$board
                set -- "$@" "--from=$board"
                run "$limit" "$@"
            fi
            if [ "$code" = 2 ] && [ -z "$to" ] && [ -n "$first" ]; then
                to=$first
                run "$limit" "$@" "--to=$to"
            fi
            printf '%s,%s,%s,' "$instance" "$from" "$to"
            if [ "$code" != 0 ]; then
                printf '%s,\n' "$said"
                continue
            fi
            awk -F '"' '
                /^  "outcome": / { outcome = $4 }
                /^  "length": / { length_ = $3; gsub(/[^0-9]/, "", length_) }
                END { print outcome "," length_ }
            ' "$work/out"
        done <"$work/starts"
    done <"$work/instances"
}

claims() {
    for step in certify check; do
        code=0
        case $step in
        certify) "$antipode" certify --quiet --out "$work/claims" >"$work/out" || code=$? ;;
        check) "$checker" "$work/claims" >"$work/checked" || code=$? ;;
        esac
        if [ "$code" != 0 ]; then
            echo "$name: $step ends with exit code $code" | tee -a "$work/faults" >&2
        fi
    done
    # A word in 22 columns and a name; lines of details are set in.
    awk '
        function closed() { if (name != "") print name "," word ",\"" detail "\"" }
        BEGIN { print "what,word,details" }
        { gsub(/"/, "\047") }
        /^ / { sub(/^ +/, ""); detail = detail (detail == "" ? "" : "; ") $0; next }
        { closed(); name = substr($0, 24); word = substr($0, 1, 22); sub(/ +$/, "", word); detail = "" }
        word ~ /^[0-9]/ { name = "" }
        END { closed() }
    ' "$work/checked" >"$work/new/checker.csv"
    # Fields stay as they are written, in quotes or not. What the checker trusts the clock for was
    # measured, and is another figure in every run.
    awk '
        NR == FNR {
            if (/the clock/) { sub(/,.*/, ""); measured[$0] = 1 }
            next
        }
        {
            n = split($0, piece, "\"")
            line = piece[1]
            for (i = 2; i <= n; i++) {
                if (i % 2 == 0) gsub(/,/, "\034", piece[i])
                line = line "\"" piece[i]
            }
            n = split(line, field, ",")
            for (i = 1; i <= n; i++) gsub("\034", ",", field[i])
        }
        FNR == 1 { for (i = 1; i <= n; i++) at[field[i]] = i }
        FNR > 1 && field[at["table"]] != "" && field[at["verdict"]] == "not-reached" {
            unreached[field[at["table"]]]++
            next
        }
        {
            id = field[at["id"]]
            found = id in measured ? "measured" : field[at["found"]]
            print id "," field[at["verdict"]] "," found "," field[at["unit"]] "," field[at["readings"]]
        }
        END { for (id in unreached) print "rows of " id ",not-reached," unreached[id] ",," | "sort" }
    ' "$work/new/checker.csv" "$work/claims/claims.csv" >"$work/new/verdicts.csv"
}

instances >"$work/instances"
[ -s "$work/instances" ] || fail "no instance is '$only'; take a puzzle or PUZZLE/INSTANCE of antipode list"
differs=
for part in $parts; do
    case $part in
    claims)
        claims
        files="verdicts.csv checker.csv"
        ;;
    *)
        files=$part.csv
        $part >"$work/new/$files"
        ;;
    esac
    for file in $files; do
        if [ -n "$renew" ]; then
            continue
        fi
        awk -F '[,/]' -v only="$only" 'only == "" || NR == 1 || $1 == only || $1 "/" $2 == only' \
            "$golden/$file" >"$work/old"
        if ! diff -u "$work/old" "$work/new/$file" >"$work/diff"; then
            differs="$differs $part"
            sed "1s|.*|--- golden/$file|; 2s|.*|+++ today|" "$work/diff"
        fi
    done
done
if [ -e "$work/faults" ]; then
    [ -z "$renew" ] || fail "the record stays as it was"
    exit 1
fi
if [ -n "$renew" ]; then
    cp "$work"/new/*.csv "$golden/"
elif [ -n "$differs" ]; then
    echo "$name: the golden record differs. If it should, say why in the commit, and renew it: $0 --renew$differs"
    exit 1
fi
