#!/bin/sh
# Cargo starts the executables of `cargo bench` by this (see inner-loops.sh). Each gets a folder of
# its own under FIGURES for its criterion figures, with a file that says whose they are: criterion
# itself does not say, and benches of two crates may have one name.
set -eu
file=${1##*/}
bench=${file%-*}
CRITERION_HOME="$FIGURES/$CARGO_PKG_NAME/$bench"
export CRITERION_HOME
mkdir -p "$CRITERION_HOME"
cat >"$CRITERION_HOME/antipode-origin.json" <<END
{
  "package": "$CARGO_PKG_NAME",
  "version": "$CARGO_PKG_VERSION",
  "bench": "$bench",
  "executable": "$1"
}
END
exec "$@"
