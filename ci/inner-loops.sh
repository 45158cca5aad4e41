#!/bin/sh
# Everything that is measured below the level of a row, in one CSV with the samples of a suite:
#   - the criterion benches of the workspace in the current folder,
#   - the instructions of inner loops, which examples of the workspace count by valgrind,
#   - the instructions of every row of the suite, by perf or else by valgrind.
# What is not there, or cannot be counted here, is left out and named. It begins afresh each time.
#
#   ANTIPODE    the command                               [antipode]
#   SUITE       the suite                                 [suites/small.toml beside this script]
#   OUT         results folder                            [antipode-ci/inner-loops]
#   SAMPLES     samples of each row                       [the suite's]
#   PACKAGES    whose benches: arguments of cargo bench   [--workspace]
#   BENCH_ARGS  arguments of the benches, such as
#               "--measurement-time 0.1 --warm-up-time 0.05 --sample-size 10 --noplot"
#   COUNTS      PACKAGE:EXAMPLE …, examples that print a CSV with the columns row, metric, value
#               and unit                                  [none]
. "$(dirname -- "$0")/common.sh"
out=$(plain "${OUT:-antipode-ci/inner-loops}")
suite=$(plain "${SUITE:-$here/suites/small.toml}")
target=$(plain "${CARGO_TARGET_DIR:-target}")
counts=${COUNTS:-}

# Figures of an earlier run say nothing of what is built now.
"$here/forget.sh" "$out"
leave_out() { echo "inner-loops: left out: $*" >&2; }

set -- bench "$suite" --out "$out" --instructions
if [ -n "${SAMPLES:-}" ]; then
    set -- "$@" --samples "$SAMPLES"
fi

# What the workspace has. Without one (no Cargo.toml) there is nothing but the suite.
if ! metadata=$(cargo metadata --no-deps --format-version 1 --offline); then
    leave_out "benches and counts: no cargo workspace in $(pwd); go to the one of your solvers"
    metadata='' counts=''
fi

# A bench that is no more would stay in criterion's folder, so each run has its own.
scratch=$(mkdir -p "$target" && cd "$target" && mktemp -d "$(pwd)/antipode-figures.XXXXXX")
export FIGURES="$scratch"
case $metadata in
*'"kind":["bench"]'*)
    # The words of PACKAGES and BENCH_ARGS are arguments of their own.
    # shellcheck disable=SC2086
    cargo bench ${PACKAGES:---workspace} --bench '*' \
        --config "target.'cfg(all())'.runner = ['$here/bench-runner.sh']" -- ${BENCH_ARGS:-}
    if [ -n "$(find "$FIGURES" -path '*/new/estimates.json' | head -n 1)" ]; then
        set -- "$@" --criterion "$FIGURES"
    else
        leave_out "benches: they left no figures of criterion in $FIGURES; are they criterion benches, and has your cargo configuration a runner of its own?"
    fi
    ;;
?*)
    leave_out "benches: the workspace has none; add [[bench]] with harness = false and criterion (see its book)"
    ;;
esac

for count in $counts; do
    package=${count%%:*} example=${count#*:}
    case $metadata in
    *"\"name\":\"$example\""*) ;;
    *)
        leave_out "counts of $example: the workspace has no such example"
        continue
        ;;
    esac
    if ! command -v valgrind >/dev/null; then
        leave_out "counts of $example: valgrind is not installed"
        continue
    fi
    cargo run --quiet --profile bench -p "$package" --example "$example" >"$FIGURES/$example.csv"
    set -- "$@" --figures "$FIGURES/$example.csv"
done

# Exit 4 is a row that was not reached: its page is wanted all the more.
run "$@"
if [ -e "$out/samples.csv" ]; then
    run report "$out" --title "Inner loops" --out "$out"
fi
ended=$worst
