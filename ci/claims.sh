#!/bin/sh
# Derives the claims again whose file a change touches, each file into a folder of its own, and
# leaves one table of all as Markdown. The exit code is the worst: 3, 1, 2, 4, 0 in that order.
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
'' | origin/) files=$(git ls-files -- "$pattern") ;;
*) files=$(git diff --name-only --diff-filter=d "$base"...HEAD -- "$pattern") ;;
esac
mkdir -p "$out"
summary=$out/SUMMARY.md
printf '## Claims\n\n' >"$summary"
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
# One file a line: a name may hold spaces.
list=$out/.files
printf '%s\n' "$files" >"$list"
while IFS= read -r file; do
    folder=$out/$(printf '%s' "$file" | tr -c 'A-Za-z0-9._\n-' '-')
    code=0
    "$antipode" certify --claims "$file" --out "$folder" </dev/null || code=$?
    worse "$code"
    printf '### %s\n\n' "$file" >>"$summary"
    if [ ! -e "$folder/claims.csv" ]; then
        printf 'Not derived; the log says why (exit code %s).\n\n' "$code" >>"$summary"
        continue
    fi
    printf '<!-- antipode:table claims -->\n<!-- antipode:end -->\n\n' >"$out/.table.md"
    "$antipode" report "$folder" --splice "$out/.table.md" >/dev/null
    grep -v '^<!--' "$out/.table.md" >>"$summary"
done <"$list"
rm -f "$list" "$out/.table.md"
exit "$worst"
