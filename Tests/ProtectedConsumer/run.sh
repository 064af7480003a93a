#!/bin/sh
# Builds a client of AppleSource with the plugin, and looks at what it writes; then a call that nothing catches must fail the build.
#
# usage: run.sh SCRATCH COMMAND…    the directory to build in; the command that builds
set -eu

scratch=$1
shift
cd "$(dirname "$0")"
"$@" --scratch-path "$scratch"
directory=$(mktemp -d)
uncaught=Sources/ProtectedConsumer/Uncaught.swift
trap 'rm -rf "$directory" "$uncaught"' EXIT
said=$(LOCALAUTH_DEVICE=ephemeral LOCALAUTH_ALLOW_SIMULATED=1 "$scratch/debug/ProtectedConsumer" "$directory/note")
test "$said" = "a note
dark 0"
test "$(head -c 4 "$directory/note")" = LAF1
if grep -q "a note" "$directory/note"; then exit 1; fi
cat > "$uncaught" << 'END'
import Foundation

func leak(_ data: NSData, to url: URL) throws { try data.write(to: url) }
func leak(_ text: NSString, to url: URL) throws { try text.write(to: url, atomically: true, encoding: 4) }
let page = "https://example.org"; let stream = OutputStream(toFileAtPath: "a", append: false)
let handle = FileHandle(
  forWritingAtPath: "a")
func leak(to url: URL) throws -> FileHandle { try .init(forUpdating: url) }
// Nothing is wrong with FileHandle(forWritingAtPath:) in a comment.
END
if "$@" --scratch-path "$scratch" > "$directory/log" 2>&1; then exit 1; fi
for line in 3 4 5 7 8; do
  grep -q "Uncaught.swift:$line: .*leave the file unprotected" "$directory/log" || { cat "$directory/log"; exit 1; }
done
if grep -q "Uncaught.swift:9: .*unprotected" "$directory/log"; then exit 1; fi
