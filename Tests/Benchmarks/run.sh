#!/bin/sh
# Measures LocalAuth beside the plainest C that does the same, alternating between the two, prints a
# table and writes it as JSON. `make bench` calls it; docs/performance.md explains the figures.
#
# usage: run.sh PROGRAMS OUTPUT      the directory of the release programs; the JSON file to write
set -eu

programs=$(cd "$1" && pwd)
output=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
account=
daemons=

cleanup() {
  for daemon in $daemons; do kill "$daemon" 2>/dev/null || true; done
  # An account is deleted only when nothing of it runs any more.
  for daemon in $daemons; do wait "$daemon" || true; done
  if [ -n "$account" ]; then userdel "$account" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

export BENCH_LINES="$work/lines"
: >"$BENCH_LINES"

skip() {
  printf '%-50s skipped: %s\n' "$1" "$2"
  printf '{"name": "%s", "skipped": "%s"}\n' "$1" "$2" >>"$BENCH_LINES"
}

# Starts a daemon for the home $1, by the prefix that follows if any; its pid is in $daemon.
start_daemon() {
  home=$1
  shift
  "$@" "$work/bin/localauthd" --home "$home" --idle-exit 0 &
  daemon=$!
  daemons="$daemons $daemon"
  tries=0
  until [ -S "$home/socket" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || { echo "localauthd did not start" >&2; exit 1; }
    sleep 0.1
  done
}

# Ends the daemon that was started last.
stop_daemon() {
  kill "$daemon"
  wait "$daemon" || true
  rm -f "$home/socket"
}

# Makes a home at $1 with a device named bench and $2 items, which no daemon serves then.
fill_home() {
  start_daemon "$1"
  create_device "$1/socket" bench '"fingers":[]'
  stop_daemon
  "$work/bin/localauth-items" fill "$1" bench "$2"
}

# Makes the device $2 with the further parameters $3 on the daemon at $1; the rest is a prefix.
create_device() {
  at=$1 device=$2 parameters=$3
  shift 3
  "$@" "$work/compare" call "$at" \
    "{\"method\":\"io.localauth.Devices.Create\",\"parameters\":{\"device\":\"$device\",$parameters}}" \
    '"simulated":true'
}

# MARK: Build

chmod 711 "$work"
mkdir "$work/bin" "$work/pam" "$work/own"
cp "$programs/localauthd" "$programs/localauth-pam-worker" "$programs/authctl" \
  "$programs/localauth-bus" "$programs/localauth-fuse" "$programs/localauth-bench" "$programs/localauth-items" \
  "$programs/localauth-apple" "$programs/localauth-chunks" "$programs/localauth-sync" "$programs/localauth-hubs" \
  "$programs/localauth-stored" "$work/bin"
cp "$root/pam/localauth" "$root/pam/testing/localauth-permit" "$work/pam"
chmod 755 "$work/bin" "$work/bin"/* "$work/pam"
chmod 644 "$work/pam"/*
compile="${CC:-cc} -std=gnu17 -O2 -Wall -Wextra"
$compile -o "$work/compare" "$here"/compare*.c "$here/harness.c" "$here/wire.c" "$here/twin.c" \
  "$here/ledger.c" \
  -lsqlite3 -lpam -lcrypto -lsystemd -ldl
$compile -o "$work/client" "$here/client.c" "$here/wire.c"
$compile -o "$work/items" "$here/items.c" "$here/harness.c" -lsqlite3 -lcrypto
$compile -o "$work/chunks" "$here/chunks.c" "$here/harness.c" -lcrypto
$compile -o "$work/digests" "$here/digests.c" "$here/harness.c" -lcrypto
$compile -o "$work/unseal" "$here/unseal.c" "$here/harness.c" -lsodium
$compile -o "$work/rows" "$here/rows.c" "$here/harness.c" -lsqlite3
$compile -o "$work/opens" "$here/opens.c" "$here/harness.c"
$compile -o "$work/keyring" "$here/keyring.c" "$here/harness.c" -ldl
$compile -o "$work/machine" "$here/machine.c" "$here/lockout.c" "$here/evaluation.c"
$compile -o "$work/simulate" "$here/simulate.c" "$here/lockout.c" "$here/evaluation.c" -lm

# MARK: Measure

printf '%-50s %7s %7s %7s  %-6s %10s %10s\n' "ours / theirs" best median limit "" "ours" "theirs"
start_daemon "$work/own/home"
socket=$work/own/home/socket
create_device "$socket" bench '"fingers":["right-index-finger"]'
create_device "$socket" permit \
  "\"sensor\":\"none\",\"pamService\":\"localauth-permit\",\"pamDirectory\":\"$work/pam\""

evaluate="$work/bin/authctl --home $work/own/home --device bench evaluate --policy biometrics"
# shellcheck disable=SC2086
"$work/compare" commands "authctl evaluate / C client" 1.5 15 20 \
  $evaluate --reason measure --script match -- "$work/client" "$socket" bench

fprintd=${FPRINTD:-/usr/libexec/fprintd}
if [ -x "$fprintd" ] && command -v fprintd-verify dbus-daemon gdbus >/dev/null &&
  /usr/bin/python3 -c 'import dbusmock' 2>/dev/null; then
  # shellcheck disable=SC2086
  sh "$here/fprintd.sh" "$fprintd" "$work/compare" "$work/bin" $evaluate --reason measure --script match
else
  skip "authctl evaluate / fprintd-verify" "fprintd and python3-dbusmock are not installed"
  skip "evaluate through fprintd / fprintd-verify" "fprintd and python3-dbusmock are not installed"
fi

"$work/compare" round-trip "$socket" bench "$daemon"
"$work/compare" grant "$socket" bench "$daemon"
"$work/compare" minting "$socket" bench "$daemon"
polkitd=${POLKITD:-/usr/lib/polkit-1/polkitd}
if [ -x "$polkitd" ] && [ "$(id -u)" = 0 ] && command -v dbus-daemon gdbus >/dev/null; then
  sh "$here/polkit.sh" "$polkitd" "$work/compare" "$socket" bench
else
  skip "evaluate by a grant / polkit CheckAuthorization" "polkitd is not installed"
fi
if [ "$(id -u)" = 0 ] && command -v pamtester >/dev/null; then
  sh "$here/module.sh" "$work/bin" "$work/compare" "$root"
else
  skip "pamtester, pam_localauth beyond the touch / permit" "pamtester is not installed"
fi
"$work/compare" attempt "$socket" bench "$work/own"
"$work/compare" pam "PAM evaluate, pam_permit / libpam and a commit" 1.5 "$socket" permit \
  localauth-permit "$work/pam" "$work/own" held 15 100

name="PAM evaluate, pam_unix / libpam and a commit"
if [ "$(id -u)" = 0 ] && command -v useradd setpriv >/dev/null; then
  account=localauth-bench-$$
  useradd --no-create-home --home-dir "$work/account" --shell /usr/sbin/nologin "$account"
  export BENCH_PASSWORD=not-a-secret-7
  echo "$account:$BENCH_PASSWORD" | chpasswd
  install -d -m 700 -o "$account" "$work/account"
  chmod 666 "$BENCH_LINES"
  as="setpriv --reuid=$account --regid=$(id -g "$account") --clear-groups"
  # shellcheck disable=SC2086
  start_daemon "$work/account/home" $as
  # shellcheck disable=SC2086
  create_device "$work/account/home/socket" unix \
    "\"sensor\":\"none\",\"pamService\":\"localauth\",\"pamDirectory\":\"$work/pam\"" $as
  $as "$work/compare" pam "$name" 1.05 "$work/account/home/socket" unix localauth "$work/pam" \
    "$work/account" fresh 9 10
else
  skip "$name" "only root can make the local account that it takes"
fi

"$work/compare" machines "lockout machine, a step / in C" 1.3 \
  "$work/bin/localauth-bench lockout" "$work/machine lockout" 5000000
"$work/compare" machines "evaluation machine, a step / in C" 1.3 \
  "$work/bin/localauth-bench evaluation" "$work/machine evaluation" 2000000
"$work/compare" machines "a simulated login / in C" 1.3 \
  "$work/bin/localauth-bench simulate" "$work/simulate simulate" 730000

# 2,740 people who log in ten times a day make ten million logins a year, and 100 of them 365,000.
simulate="$work/bin/authctl policy simulate device-owner --days 365 --seed 1 --quiet"
many="--population 2740"
# shellcheck disable=SC2086
{
  "$work/compare" commands "10,000,000 logins, two threads / one" 0.556 3 1 \
    $simulate $many --threads 2 -- $simulate $many --threads 1
  "$work/compare" run "10,000,000 logins on two threads" 10 $simulate $many --threads 2
  "$work/compare" peaks "peak memory, 10,000,000 logins / 365,000" 1.1 \
    $simulate $many --threads 2 -- $simulate --population 100 --threads 2
  "$work/compare" run "1,000,000 states explored on two threads" 60 \
    "$work/bin/authctl" policy prove device-owner --states 1000000 --threads 2 --quiet
}

"$work/compare" paces "SecItemCopyMatching / Keychain, the same item" 2.0 \
  "$work/bin/localauth-apple secitem" "$work/bin/localauth-apple keychain" 3000
for name in "sha256 CC_SHA256" "hmac CCHmac" "crypt CCCrypt"; do
  "$work/compare" machines "${name#* }, 1 KiB / libcrypto" 1.1 \
    "$work/bin/localauth-apple ${name%% *}" "$work/digests ${name%% *}" 200000
done

if command -v openssl >/dev/null; then
  sh "$here/rncrypt.sh" "$work/compare" "$work/bin/authctl" "$work/rncrypt"
else
  skip "rncrypt encrypt, 256 MiB / openssl enc, dgst" "openssl is not installed"
  skip "rncrypt decrypt, 256 MiB / openssl dgst, enc" "openssl is not installed"
fi

# Both lie in one directory; a run of ours writes to the daemon that was started above.
"$work/compare" machines "1,000 values set and written / rows, one commit" 1.2 \
  "$work/bin/localauth-stored values $work/own/home" "$work/rows $work/own/rows.sqlite 1000" 20
"$work/compare" machines "500 rows of a table written / rows of SQLite, one commit" 40 \
  "$work/bin/localauth-stored rows $work/own/home" "$work/rows $work/own/rows.sqlite 500" 20

mkdir "$work/chunks-of"
for name in "write 256 MiB, 16 KiB at a time" "read 256 MiB, 16 KiB at a time"; do
  "$work/compare" machines "$name / EVP and pread in C" 1.2 "$work/bin/localauth-chunks ${name%% *} $work/chunks-of/ours" \
    "$work/chunks ${name%% *} $work/chunks-of/theirs" 256
done
"$work/compare" machines "read 4 KiB at random / EVP and pread in C" 1.5 \
  "$work/bin/localauth-chunks random $work/chunks-of/ours" "$work/chunks random $work/chunks-of/theirs" 100000
rm -r "$work/chunks-of"

if command -v age >/dev/null; then
  sh "$here/files.sh" "$work/compare" "$work/bin/authctl" "$work/files"
else
  skip "cp and file protect, 256 MiB / cp and age" "age is not installed"
  skip "file cat, 256 MiB / age -d" "age is not installed"
fi
if command -v rclone >/dev/null; then
  sh "$here/documents.sh" "$work/compare" "$work/bin/authctl" "$work/documents"
else
  skip "doc put and get, 100 MiB / rclone crypt" "rclone is not installed"
fi

if command -v age >/dev/null && command -v sqlite3 >/dev/null; then
  sh "$here/backups.sh" "$work/compare" "$work/bin" "$work/backups"
else
  for name in "backup create, 10000 items / .backup and age" "backup verify, 10000 items / age -d" \
    "backup restore, 10000 items / .backup and age"; do
    skip "$name" "age or sqlite3 is not installed"
  done
fi

if command -v gocryptfs unshare >/dev/null && [ "$(id -u)" = 0 ] && [ -c /dev/fuse ]; then
  sh "$here/fuse.sh" "$work/compare" "$work/opens" "$work/bin" "$work/fuse"
else
  for name in "write 256 MiB" "read 256 MiB" "open, read, close of 4 KiB"; do
    skip "$name mounted / gocryptfs" "gocryptfs is not installed, or nothing can be mounted"
  done
fi

if [ "$(id -u)" = 0 ] && command -v pgbench psql setpriv >/dev/null && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
  sh "$here/hub.sh" "$work/compare" "$work/bin"
  sh "$here/sync.sh" "$work/bin" "$work/unseal"
else
  skip "1,000 pushes by localauth-sync / pgbench" "it needs root and PostgreSQL"
fi
if command -v sqlite3 >/dev/null && command -v sqlcipher >/dev/null; then
  sh "$here/databases.sh" "$work/compare" "$work/bin/authctl" "$root/.build/programs/lib/mod_localauth.so" \
    "$work/databases"
else
  skip "100,000 rows, journal_mode=delete / SQLCipher" "sqlite3 or sqlcipher is not installed"
  skip "100,000 rows, journal_mode=wal / SQLCipher" "sqlite3 or sqlcipher is not installed"
fi

few=$work/own/few
many=$work/own/many
items=${BENCH_ITEMS:-1000000}
fill_home "$few" 10000
"$work/items" fill "$few/state.sqlite" "$work/own/twin"
"$work/compare" machines "an item's data in process / C row and AES-GCM" 1.3 \
  "$work/bin/localauth-items read $few bench" "$work/items read $work/own/twin" 200000
"$work/compare" machines "the same with attributes / C row and AES-GCM" 1.3 \
  "$work/bin/localauth-items look $few bench" "$work/items read $work/own/twin" 200000
"$work/compare" bytes "$few/state.sqlite" 10000 "an item on the disk, of 10,000"

start_daemon "$few"
"$work/compare" item "$few/socket" bench "$daemon" \
  "read through the daemon / C ping-pong, same core"
"$work/compare" first "$few/socket" bench "$daemon" 10 \
  "the first 10 of 10,000 / C ping-pong, same core"
name="authctl keychain get / secret-tool lookup"
if command -v secret-tool gnome-keyring-daemon dbus-daemon taskset >/dev/null; then
  sh "$here/keyring.sh" "$work" "$few/socket" bench "$daemon" \
    "$work/bin/authctl" --home "$few" --device bench keychain get \
    --account account-5000 --service org.example.bench
else
  skip "read through the daemon / libsecret lookup" "gnome-keyring is not installed"
  skip "$name" "secret-tool and gnome-keyring are not installed"
fi
stop_daemon
start_daemon "$few"
"$work/compare" add "$few/socket" bench "$few" "$work/own"
stop_daemon

# Minutes and a gigabyte: BENCH_ITEMS=0 does without.
if [ "$items" -gt 0 ]; then
  fill_home "$many" "$items"
  "$work/compare" bytes "$many/state.sqlite" "$items" "an item on the disk, of $items"
  "$work/compare" paces "item read of $items / of 10,000" 3.0 \
    "$work/bin/localauth-items read $many bench" "$work/bin/localauth-items read $few bench" 100000
  start_daemon "$many"
  "$work/compare" list "$many/socket" bench "a call beside a list of $items, 99 of 100"
  stop_daemon
else
  skip "item read of a million / of 10,000" "BENCH_ITEMS is 0"
fi

start_daemon "$work/own/quiet"
"$work/compare" memory "$work/own/quiet/socket" "$daemon" 1000
"$work/compare" start "$work/bin/localauthd" "$work/own"

# MARK: Report

{
  printf '{"version": 1, "results": [\n'
  sed '$!s/$/,/' "$BENCH_LINES"
  printf ']}\n'
} >"$output"
echo "Written to $output."
