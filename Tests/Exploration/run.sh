#!/bin/sh
# Explores the machines of synchronization, optimised as a whole, which takes a tenth of the time of the suite's build.
#
# usage: run.sh WORK    with SYNC_DEPTH, SYNC_LIES, SYNC_ALPHABET (items, circle or all) and SYNC_LIVES
set -eu
work=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$work/Sources/LocalAuthTestSupport"
work=$(cd "$work" && pwd)
for target in LocalAuthCore LocalAuthKeychain LocalAuthSync; do
  ln -sfn "$root/Sources/$target" "$work/Sources/$target"
done
ln -sfn "$root/Tests/LocalAuthSyncTests" "$work/Sources/LocalAuthSyncTests"
for file in RunSeed SeededGenerator; do
  ln -sf "$root/Tests/LocalAuthTestSupport/$file.swift" "$work/Sources/LocalAuthTestSupport/$file.swift"
done
cp "$root/Tests/Exploration/Package.swift.txt" "$work/Package.swift"
exec "${SWIFT:-swift}" test -c release -Xswiftc -enable-testing --package-path "$work" \
  --filter '^LocalAuthSyncTests\.ExplorationTests/'
