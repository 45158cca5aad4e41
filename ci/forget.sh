#!/bin/sh
# Removes from a folder what Antipode wrote there: the files that its manifest lists, as long as
# they are now, those of manifests within it, and the manifest. One that names a file outside its
# folder is refused.
set -eu
case $1 in -*) set -- "./$1" ;; esac
manifest=$1/manifest.json
grep -qs '"antipode-manifest-' "$manifest" || exit 0
inside=$(CDPATH='' cd -P -- "$1" && pwd)
sed -n 's/^ *"path": "\(.*\)",$/\1/p; s/^ *"bytes": \([0-9]*\),$/\1/p' "$manifest" |
    while IFS= read -r file && read -r bytes; do
        place=$(CDPATH='' cd -P -- "$1/$(dirname -- "$file")" 2>/dev/null && pwd) || continue
        case $place in
        "$inside") ;;
        "$inside"/*) [ "${file##*/}" != manifest.json ] || sh "$0" "$place" ;;
        *)
            echo "$(basename -- "$0"): $manifest: it names '$file', which is outside its folder; move that folder away, or choose another OUT" >&2
            exit 2
            ;;
        esac
        if [ "$(cat -- "$1/$file" 2>/dev/null | wc -c)" -eq "$bytes" ]; then
            rm -f -- "$1/$file"
        fi
    done
rm -f -- "$manifest"
