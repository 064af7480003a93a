#!/bin/sh
# Runs the whole suite under a sanitizer: Tests/Sanitize/run.sh address|thread [ARGUMENT…]
# SWIFT and CLANG choose the compilers, JOBS how many may run at once; the arguments go to `swift test`.
#
# A report of any process, also of one that a test started, fails the run and is printed at its end.
set -eu

kind=${1:?usage: Tests/Sanitize/run.sh address|thread [ARGUMENT...]}
shift
case $kind in
  address) sources='options.c' ;;
  thread) sources='options.c mutex.c' ;;
  *) echo "run.sh: no sanitizer '$kind'; say address or thread" >&2; exit 2 ;;
esac

# The programs under test are those of this build.
unset LOCALAUTH_PROGRAMS
# See Package.swift.
export LOCALAUTH_OPTIMISED=1
cd "$(dirname "$0")/../.."
swift=${SWIFT:-swift}
# Swift's own: the sanitizer's header and Swift's calling convention come with it.
clang=${CLANG:-$(dirname "$(command -v "$swift")")/clang}
scratch=$PWD/.build/$kind
reports=$scratch/reports

# Some tests run programs as another user, who must be able to report too.
rm -rf "$reports"
mkdir -p "$reports"
chmod 1777 "$reports"

# Named after its content, because SwiftPM links anew only when an argument of the linker changes.
objects=
for source in $sources; do
  sum=$(echo "$reports" | cat - "Tests/Sanitize/$source" | cksum | cut -d ' ' -f 1)
  object=$scratch/${source%.c}-$sum.o
  "$clang" -std=gnu17 -Wall -Wextra -Werror -O1 "-DREPORTS=\"$reports/report\"" \
    -c "Tests/Sanitize/$source" -o "$object"
  objects="$objects -Xlinker $object"
done

# shellcheck disable=SC2086
$swift build --build-tests --sanitize="$kind" --scratch-path "$scratch" $objects \
  ${JOBS:+-j "$JOBS"}

status=0
# shellcheck disable=SC2086
python3 Tests/run.py 900 $swift test --skip-build --sanitize="$kind" --scratch-path "$scratch" \
  $objects "$@" || status=$?

set -- "$reports"/*
if [ -e "$1" ]; then
  for report in "$@"; do
    echo "--- $report" >&2
    cat "$report" >&2
  done
  echo "The $kind sanitizer reported in $# processes; see above and $reports." >&2
  [ "$status" -ne 0 ] || status=1
fi
exit "$status"
