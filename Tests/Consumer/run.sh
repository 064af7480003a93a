#!/bin/sh
# Builds a program that links LocalAuth alone: clean, and once more after a change.
#
# usage: run.sh SCRATCH COMMAND…    the directory to build in; the command that builds
set -eu

scratch=$1
shift
cd "$(dirname "$0")"
rm -rf "$scratch"
"$@" --scratch-path "$scratch"
touch Sources/Consumer/main.swift
"$@" --scratch-path "$scratch"
program=$scratch/debug/Consumer
test "$("$program")" = consumer
# It needs nothing but the C library and Swift's own.
if ldd "$program" | grep -E "sqlite|libcrypto|libssl|sodium|libpam"; then exit 1; fi
