# What the scripts beside it share; they read it by `.`.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# Bad input: one line.
refuse() {
    echo "$(basename -- "$0"): $1" >&2
    exit 2
}
# A file or folder of the current folder, so that no name is taken for an option.
plain() {
    case $1 in
    -*) printf './%s\n' "$1" ;;
    *) printf '%s\n' "$1" ;;
    esac
}
antipode=$(plain "${ANTIPODE:-antipode}")
command -v "$antipode" >/dev/null ||
    refuse "no command '$antipode'; install antipode, or name it by ANTIPODE=PATH"
# The script ends with `ended`, and removes `scratch`. Whatever fails before it is set is bad input.
ended=2 scratch=
trap 'test -z "$scratch" || rm -rf -- "$scratch"; exit "$ended"' EXIT
# Runs the command, and keeps the worst exit code so far: 3, 1, 2 (or one of no meaning), 4, 0.
worst=0
run() {
    code=0
    "$antipode" "$@" || code=$?
    [ "$code" -le 4 ] || code=2
    for bad in 3 1 2 4; do
        if [ "$code" -eq "$bad" ] || [ "$worst" -eq "$bad" ]; then
            worst=$bad
            return
        fi
    done
}
