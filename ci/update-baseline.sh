#!/bin/sh
# Measures the suite anew and makes it the baseline, with the reason in it. Commit the result.
# Where a row has become slower it writes nothing and exits 1; --accept-slower writes it.
#
#   ci/update-baseline.sh "dense writes its table in blocks now" [OPTION OF regress --update …]
#
#   ANTIPODE, BASELINE  as for regress.sh
#   SUITE               the suite   [suites/small.toml beside this script]
#   REFERENCE           the row that times become ratios to: one that takes long enough to be
#                       measured well     [as before; the first time, the first row]
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# A file or folder of the current folder, so that no name is taken for an option.
plain() {
    case $1 in
    -*) printf './%s\n' "$1" ;;
    *) printf '%s\n' "$1" ;;
    esac
}
if [ "$#" -eq 0 ] || [ -z "$1" ]; then
    echo "usage: $0 REASON [OPTION…]" >&2
    exit 2
fi
reason=$1
shift
antipode=$(plain "${ANTIPODE:-antipode}")
if ! command -v "$antipode" >/dev/null; then
    echo "$(basename -- "$0"): no command '$antipode'; install antipode, or name it by ANTIPODE=PATH" >&2
    exit 2
fi
set -- --reason="$reason" "$@"
if [ -n "${REFERENCE:-}" ]; then
    set -- "$@" --reference="$REFERENCE"
fi
exec "$antipode" regress \
    --baseline "$(plain "${BASELINE:-$here/baselines/small.toml}")" \
    --suite "$(plain "${SUITE:-$here/suites/small.toml}")" \
    --update "$@"
