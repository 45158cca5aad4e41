#!/bin/sh
# Derives the claims again that a change touches, those of each file into a folder of its own, and
# leaves one table of all as Markdown. A claim is touched if any of its lines differs, be it a
# remark; if a line before the first claim differs, all of the file are derived. The exit code is
# the worst: 3, 1, 2, 4, 0 in that order.
#
#   ANTIPODE  the command                            [antipode]
#   BASE      what the change is held against, such as origin/main; `origin/` or nothing: all files
#   PATTERN   files of claims                        [*.claims.toml]
#   OUT       folder for certificates and pages      [antipode-claims]
. "$(dirname -- "$0")/common.sh"
out=$(plain "${OUT:-antipode-claims}")
pattern=${PATTERN:-*.claims.toml}
base=${BASE:-}
# Names as they are, from the current folder on; those that break a line come quoted, and are
# refused as files that are not there.
listed() { git -c core.quotePath=false "$@" -- "$pattern"; }
case $base in
'' | origin/)
    before=
    files=$(listed ls-files)
    ;;
*)
    before=$(git merge-base "$base" HEAD) ||
        refuse "git finds no common commit of '$base' and HEAD here; name another BASE, or fetch all of the history"
    files=$(listed diff --name-only --relative --diff-filter=d "$before" HEAD)
    ;;
esac
mkdir -p "$out"
summary=$out/SUMMARY.md
mark='<!-- antipode:summary -->'
if [ -s "$summary" ] && [ "$(head -n 1 "$summary")" != "$mark" ]; then
    refuse "$summary: a file exists there that is not of Antipode; move it away, or choose another OUT"
fi
scratch=$(mktemp -d)
printf '%s\n## Claims\n\n' "$mark" >"$summary"
if [ -z "$files" ]; then
    echo "No file of claims was touched." | tee -a "$summary"
    ended=0
    exit
fi
# The claims of the second file that are not in the first, by id; a line `*` where all are meant:
# what stands before the first claim differs, or one does not begin with its id.
changed() {
    awk '
        function closed() {
            sub(/[ \t\r\n]+$/, "", text)
            if (claim == 0) header[nth] = text
            else if (nth == 1) known[text]++
            else if (known[text]-- < 1) print id == "" ? "*" : id
        }
        FNR == 1 { if (nth) closed(); nth++; claim = 0; text = id = "" }
        /^[ \t]*\[\[[ \t]*claim[ \t]*\]\]/ { closed(); claim = first = 1; text = $0 "\n"; id = ""; next }
        { text = text $0 "\n" }
        first && /^[ \t]*id[ \t]*=/ { id = $0; sub(/^[^=]*=[ \t]*["\047]/, "", id); sub(/["\047].*/, "", id) }
        { first = 0 }
        END { closed(); if (header[1] != header[2]) print "*" }
    ' "$1" "$2"
}
# One file a line: a name may hold spaces.
list=$scratch/files
printf '%s\n' "$files" >"$list"
while IFS= read -r file; do
    folder=$out/$file
    printf '### %s\n\n' "$file" >>"$summary"
    ids='*'
    if [ -n "$before" ] && git show "$before:./$file" >"$scratch/before" 2>/dev/null && [ -s "$scratch/before" ]; then
        ids=$(changed "$scratch/before" "./$file")
    fi
    case $ids in
    '')
        printf 'No claim of it was touched.\n\n' >>"$summary"
        continue
        ;;
    *\**) ids= ;;
    esac
    "$here/forget.sh" "$folder"
    # Ids hold no spaces.
    # shellcheck disable=SC2086
    run certify --claims="$file" --out "$folder" -- $ids </dev/null
    if [ ! -e "$folder/claims.csv" ]; then
        printf 'Not derived; the log says why (exit code %s).\n\n' "$code" >>"$summary"
        continue
    fi
    printf '<!-- antipode:table claims -->\n<!-- antipode:end -->\n\n' >"$scratch/table.md"
    run report "$folder" --splice "$scratch/table.md" >/dev/null
    grep -v '^<!--' "$scratch/table.md" >>"$summary"
done <"$list"
ended=$worst
