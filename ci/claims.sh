#!/bin/sh
# Derives the claims again that a change touches, those of each file into a folder of its own, and
# leaves one table of all as Markdown. Where the lines before a file's first claim were touched,
# all of the file are derived. The exit code is the worst: 3, 1, 2, 4, 0 in that order.
#
#   ANTIPODE  the command                            [antipode]
#   BASE      what the change is held against, such as origin/main; `origin/` or nothing: all files
#   PATTERN   files of claims                        [*.claims.toml]
#   OUT       folder for certificates and pages      [antipode-claims]
set -eu
antipode=${ANTIPODE:-antipode}
out=${OUT:-antipode-claims}
pattern=${PATTERN:-*.claims.toml}
base=${BASE:-}
if ! command -v "$antipode" >/dev/null; then
    echo "$(basename -- "$0"): no command '$antipode'; install antipode, or name it by ANTIPODE=PATH" >&2
    exit 2
fi
case $base in
'' | origin/)
    before=
    files=$(git ls-files -- "$pattern")
    ;;
*)
    before=$(git merge-base "$base" HEAD)
    files=$(git diff --name-only --diff-filter=d "$before" HEAD -- "$pattern")
    ;;
esac
mkdir -p "$out"
summary=$out/SUMMARY.md
mark='<!-- antipode:summary -->'
if [ -s "$summary" ] && [ "$(head -n 1 "$summary")" != "$mark" ]; then
    echo "$(basename -- "$0"): $summary: a file exists there that is not of Antipode; move it away, or choose another OUT" >&2
    exit 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '%s\n## Claims\n\n' "$mark" >"$summary"
if [ -z "$files" ]; then
    echo "No file of claims was touched." | tee -a "$summary"
    exit 0
fi
worst=0
worse() {
    for code in 3 1 2 4; do
        if [ "$1" -eq "$code" ] || [ "$worst" -eq "$code" ]; then
            worst=$code
            return
        fi
    done
}
# The claims of the second file whose lines, but for remarks, are not in the first, by id; a line
# `*` where all are meant: what stands before the first claim differs, or one has no id.
changed() {
    awk '
        function closed() {
            if (claim == 0) header[nth] = text
            else if (nth == 1) known[text] = 1
            else if (!(text in known)) print id == "" ? "*" : id
        }
        FNR == 1 { if (nth) closed(); nth++; claim = 0; text = id = "" }
        /^[ \t]*\[\[[ \t]*claim[ \t]*\]\]/ { closed(); claim = 1; text = id = "" }
        /^[ \t]*(#|$)/ { next }
        { text = text $0 "\n" }
        claim && /^[ \t]*id[ \t]*=/ { id = $0; sub(/^[^=]*=[ \t]*["\047]/, "", id); sub(/["\047].*/, "", id) }
        END { closed(); if (header[1] != header[2]) print "*" }
    ' "$1" "$2"
}
# One file a line: a name may hold spaces.
list=$scratch/files
printf '%s\n' "$files" >"$list"
while IFS= read -r file; do
    folder=$out/$(printf '%s' "$file" | tr -c 'A-Za-z0-9._\n-' '-')
    printf '### %s\n\n' "$file" >>"$summary"
    ids='*'
    if [ -n "$before" ] && git show "$before:$file" >"$scratch/before" 2>/dev/null && [ -s "$scratch/before" ]; then
        ids=$(changed "$scratch/before" "$file")
    fi
    case $ids in
    '')
        printf 'No claim of it was touched.\n\n' >>"$summary"
        continue
        ;;
    *\**) ids= ;;
    esac
    code=0
    # Ids hold no spaces.
    # shellcheck disable=SC2086
    "$antipode" certify $ids --claims "$file" --out "$folder" </dev/null || code=$?
    worse "$code"
    if [ ! -e "$folder/claims.csv" ]; then
        printf 'Not derived; the log says why (exit code %s).\n\n' "$code" >>"$summary"
        continue
    fi
    printf '<!-- antipode:table claims -->\n<!-- antipode:end -->\n\n' >"$scratch/table.md"
    "$antipode" report "$folder" --splice "$scratch/table.md" >/dev/null
    grep -v '^<!--' "$scratch/table.md" >>"$summary"
done <"$list"
exit "$worst"
