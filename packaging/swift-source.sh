#!/bin/sh
# Copies what other packages need of this Swift package: swift-source.sh ROOT FOLDER
# The manifest ends before benchmarks and tests, whose files are not copied.
set -eu
root=$1 folder=$2
mark='    // What `make bench` compares'

grep -q "^$mark" "$root/Package.swift" || {
  echo "swift-source.sh: Package.swift has no line that begins with '$mark'" >&2
  exit 1
}
mkdir -p "$folder"
sed "\\|^$mark|,\$d" "$root/Package.swift" >"$folder/Package.swift"
printf '  ],\n  swiftLanguageModes: [.v6]\n)\n' >>"$folder/Package.swift"
cp -R "$root/Sources" "$root/policies" "$folder/"
