#!/bin/sh
# Measures the suite anew and makes it the baseline, with the reason in it. Commit the result.
#
#   ci/update-baseline.sh "dense writes its table in blocks now"
#
#   ANTIPODE, BASELINE  as for regress.sh
#   SUITE               the suite   [suites/small.toml beside this script]
#   REFERENCE           the row that times become ratios to: one that takes long enough to be
#                       measured well     [as before; the first time, the first row]
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ "$#" -ne 1 ] || [ -z "$1" ]; then
    echo "usage: $0 REASON" >&2
    exit 2
fi
set -- --reason "$1"
if [ -n "${REFERENCE:-}" ]; then
    set -- "$@" --reference "$REFERENCE"
fi
exec "${ANTIPODE:-antipode}" regress \
    --baseline "${BASELINE:-$here/baselines/small.toml}" \
    --suite "${SUITE:-$here/suites/small.toml}" \
    --update "$@"
