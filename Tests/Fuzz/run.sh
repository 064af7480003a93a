#!/bin/sh
# Runs each fuzz target for a bounded time: Tests/Fuzz/run.sh SECONDS [TARGET…]
# SEED=N chooses the seed, SWIFTC the compiler; without targets, SAMPLE=N takes N of them.
#
# A target is a file FuzzX.swift beside this script. It may import any module of the package,
# and begins with the files in the folders that `seeds` names. What a run finds stays in .build/fuzz/corpus/FuzzX and
# makes the next run start further on; an input that crashes is left in .build/fuzz/crashes.
set -eu

seconds=${1:?usage: Tests/Fuzz/run.sh SECONDS [TARGET...]}
shift
case $seconds in *[!0-9]* | 0 | '') echo "run.sh: SECONDS must be a positive number" >&2; exit 2 ;; esac

cd "$(dirname "$0")/../.."
swiftc=${SWIFTC:-swiftc}
clang=${CLANG:-clang}
seed=${SEED:-20240601}
build=.build/fuzz
settings='-swift-version 6 -strict-memory-safety -warnings-as-errors
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature ExistentialAny -parse-as-library -package-name localauth -O -g -I Sources/CLocalAuthMath
  -I Sources/CLocalAuthOpenSSL -I Sources/CLocalAuthSodium -I Sources/CommonCrypto/include'

# The modules of this package that the sources of a target or module import.
imports() {
  sources "$1" | xargs -r cat | sed -nE 's/^([@a-z()]+ )*import (C?LocalAuth[A-Za-z]*|CommonCrypto)$/\2/p' | sort -u
}

# All that a target needs, each module after those it imports; a library of the system needs its map alone.
modules() {
  reached=
  reach "$1"
  echo "$reached"
}

reach() {
  case " $reached " in *" $1 "*) return ;; esac
  if [ -e "Sources/$1/module.modulemap" ]; then return; fi
  for module in $(imports "$1"); do reach "$module"; done
  case $1 in Fuzz*) ;; *) reached="$reached $1" ;; esac
}

seeds() {
  case $1 in
    FuzzJSON) echo Tests/LocalAuthJSONTests/Corpus ;;
    FuzzBackup | FuzzFile | FuzzHub | FuzzKeychain | FuzzPropertyList | FuzzRNCryptor | FuzzScript | FuzzToken | FuzzWire)
      echo "Tests/Fuzz/Corpus/$1" ;;
    FuzzPolicy) echo policies/policy policies/lockout policies/passcode-delay policies/sensor ;;
  esac
}

sources() {
  case $1 in
    Fuzz*) echo "Tests/Fuzz/$1.swift" ;;
    LocalAuthPolicies)
      embed policies/policy/* policies/lockout/* policies/passcode-delay/* policies/sensor/* > "$build/$1.swift"
      echo "$build/$1.swift"
      find policies/Sources -name '*.swift' | sort
      ;;
    LocalAuthWire)
      embed Sources/LocalAuthWire/Interfaces/* > "$build/$1.swift"
      echo "$build/$1.swift"
      find "Sources/$1" -name '*.swift' | sort
      ;;
    *) find "Sources/$1" -name '*.swift' | sort ;;
  esac
}

# What SwiftPM generates for the resources of a target.
embed() {
  echo 'struct PackageResources {'
  for file in "$@"; do
    name=$(basename "$file" | tr -c 'A-Za-z0-9\n' _)
    echo "static let $name: [UInt8] = [$(od -An -v -tu1 "$file" | tr -s ' \n' ',' | sed 's/^,//; s/,$//')]"
  done
  echo '}'
}

# The objects of a C module, with the map that SwiftPM generates.
compile_c() {
  mkdir -p "$build/$1"
  [ -e "Sources/$1/include/module.modulemap" ] ||
    echo "module $1 { umbrella \"$PWD/Sources/$1/include\" export * }" > "$build/$1/module.modulemap"
  for file in Sources/"$1"/*.c; do
    $clang -std=gnu17 -D_GNU_SOURCE -O1 -g -fsanitize=address -c -I "Sources/$1/include" \
      -o "$build/$1/$(basename "$file").o" "$file"
  done
}

compiled=
compile_module() {
  case " $compiled " in *" $1 "*) return ;; esac
  compiled="$compiled $1"
  echo "compiling $1"
  if [ -d "Sources/$1/include" ]; then
    compile_c "$1"
    return
  fi
  # shellcheck disable=SC2046,SC2086
  $swiftc $settings -sanitize=fuzzer,address -wmo -module-name "$1" -I "$build" \
    -emit-module -emit-module-path "$build/$1.swiftmodule" -c -o "$build/$1.o" $(sources "$1")
}

compile_target() {
  objects=
  for module in $(modules "$1"); do
    compile_module "$module"
    if [ -d "$build/$module" ]; then objects="$objects $build/$module/*.o"; else objects="$objects $build/$module.o"; fi
  done
  echo "compiling $1"
  # shellcheck disable=SC2086
  $swiftc $settings -sanitize=fuzzer,address -use-ld=lld -module-name "$1" -I "$build" \
    -o "$build/$1" "Tests/Fuzz/$1.swift" $objects -lcrypto -lsodium
}

run_target() {
  corpus=$build/corpus/$1
  status=0
  mkdir -p "$corpus" "$build/crashes"
  echo "running $1 for $seconds s with seed $seed"
  # Stops at the first crash, at 2 s for one input and at 1 GB, with a status other than 0.
  "$build/$1" -seed="$seed" -max_total_time="$seconds" -timeout=2 -rss_limit_mb=1024 \
    -max_len=8192 -print_final_stats=1 -artifact_prefix="$build/crashes/$1-" \
    "$corpus" $(seeds "$1") > "$build/$1.log" 2>&1 || status=$?
  grep -aE '^stat::number|Fatal error|ERROR: |SUMMARY: |Test unit written' "$build/$1.log" || :
  [ "$status" -eq 0 ] || echo "the whole report is in $build/$1.log"
  return "$status"
}

mkdir -p "$build"
if [ $# -eq 0 ]; then
  # shellcheck disable=SC2046
  set -- $(basename -a -s .swift Tests/Fuzz/Fuzz*.swift | awk -v seed="$seed" '
    BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort | head -n "${SAMPLE:-100}" | cut -f 2)
fi
failed=
for target in "$@"; do
  compile_target "$target"
  run_target "$target" || failed="$failed $target"
done
[ -z "$failed" ] || { echo "run.sh: failed with seed $seed:$failed" >&2; exit 1; }
echo "no crash"
