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
. "$(dirname -- "$0")/common.sh"
if [ "$#" -eq 0 ] || [ -z "$1" ]; then
    echo "usage: $0 REASON [OPTION…]" >&2
    exit 2
fi
reason=$1
shift
set -- --reason="$reason" "$@"
if [ -n "${REFERENCE:-}" ]; then
    set -- "$@" --reference="$REFERENCE"
fi
exec "$antipode" regress \
    --baseline "$(plain "${BASELINE:-$here/baselines/small.toml}")" \
    --suite "$(plain "${SUITE:-$here/suites/small.toml}")" \
    --update "$@"
