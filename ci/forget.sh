#!/bin/sh
# Removes from a folder what Antipode wrote there: the files that its manifest lists, as long as
# they are now, and the manifest.
set -eu
manifest=$1/manifest.json
grep -qs '"antipode-manifest-' "$manifest" || exit 0
sed -n 's/^ *"path": "\(.*\)",$/\1/p; s/^ *"bytes": \([0-9]*\),$/\1/p' "$manifest" |
    while IFS= read -r file && read -r bytes; do
        if [ "$(cat -- "$1/$file" 2>/dev/null | wc -c)" -eq "$bytes" ]; then
            rm -f -- "$1/$file"
        fi
    done
rm -f -- "$manifest"
