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
test "$("$scratch/debug/Consumer")" = consumer
