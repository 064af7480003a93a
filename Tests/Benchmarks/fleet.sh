#!/bin/sh
# Many items and many devices on one hub, as figures for docs/hub.md: fleet.sh BIN [ITEMS [DEVICES]]
#
# It takes minutes, and measures no ratio: `make bench` does not run it.
set -eu

bin=$1
count=${2:-100000}
devices=${3:-20}
here=$(dirname "$0")
work=$(mktemp -d)
cleanup() {
  for number in $(seq "$devices"); do "$bin/authctl" --home "$work/$number" daemon stop >/dev/null 2>&1 || true; done
  stop_postgres
  rm -rf "$work"
}
stop_postgres() { :; }
trap cleanup EXIT
trap 'exit 1' HUP INT TERM
BENCH_LINES=/dev/null
. "$here/postgres.sh"
umask 077

# What the person of device NUMBER types.
on() {
  who=$1
  shift
  "$bin/authctl" --home "$work/$who" --device bench "$@"
}
now() { date +%s.%N; }
since() { echo "$1 $(now)" | awk '{ printf "%.1f s", $2 - $1 }'; }
ask() { psql -qtA -h "$work/socket" -U postgres -c "$1"; }
# Waits until a device shows all records; it asks the hub.
until_whole() { until on "$1" sync now --json 2>/dev/null | grep -q "\"records\":$2,\"outgoing\":0,\"incoming\":0"; do :; done; }
begin_device() {
  mkdir "$work/$1"
  echo 1234 | "$bin/authctl" --home "$work/$1" device create bench --sensor none --passcode-provider device --passcode-stdin --quiet
  echo 1234 | on "$1" device unlock --stdin >/dev/null 2>&1
}

for number in $(seq "$devices"); do begin_device "$number"; done
{
  echo '{"localauth":"keychain","version":1}'
  seq "$count" | sed 's/.*/{"class":"generic-password","accessible":"whenUnlocked","synchronizable":true,"attributes":{"acct":"account-&","svce":"org.example.bench","labl":"Example"},"data":"aHVudGVyMmh1bnRlcjJodW50ZXIy"}/'
} >"$work/items"
begun=$(now)
on 1 keychain import "$work/items" >/dev/null 2>&1
echo "$count items imported: $(since "$begun")"

place="$work/socket --database postgres"
begun=$(now)
# shellcheck disable=SC2086 # The place is several words.
printf '%s\n1234\n' "$(cat "$work/code")" | on 1 sync found $place --name d1 --code-stdin --passcode-stdin 2>/dev/null
until_whole 1 "$count"
echo "sent by the device that founds: $(since "$begun")"

for number in $(seq 2 "$devices"); do
  on 1 sync invite --no-wait >"$work/invitation" 2>/dev/null
  begun=$(now)
  # shellcheck disable=SC2086
  words=$(printf '%s\n1234\n' "$(cat "$work/invitation")" | on "$number" sync join $place --name "d$number" --code-stdin --passcode-stdin --no-wait --json | sed 's/.*"words":\[\([^]]*\)\].*/\1/; s/[",]/ /g')
  until echo 1234 | on 1 sync approve --words "$words" --passcode-stdin >/dev/null 2>&1; do :; done
  until_whole "$number" "$count"
  echo "device $number has all: $(since "$begun")"
done

begun=$(now)
echo hunter3 | on 1 keychain add edited --synchronizable --stdin >/dev/null 2>&1
for number in $(seq 2 "$devices"); do
  until [ "$(on "$number" keychain get edited 2>/dev/null)" = hunter3 ]; do :; done
done
echo "an edit, until all $devices devices have it: $(since "$begun")"

begun=$(now)
for number in $(seq "$devices"); do
  echo "from $number" | on "$number" keychain add "of-$number" --synchronizable --stdin >/dev/null 2>&1 &
done
wait_for=$(seq "$devices")
for number in $wait_for; do until_whole "$number" $((count + 1 + devices)); done
echo "an edit on each device at once, until all have all: $(since "$begun")"

# What is idle asks the hub at most once a minute.
calls() { ask "select coalesce(sum(calls), 0) from pg_stat_user_functions where schemaname = 'localauth' and funcname = 'heads'"; }
ask "alter system set track_functions = 'all'"
ask "select pg_reload_conf()" >/dev/null
sleep 5
before=$(calls)
sleep "${IDLE:-120}"
echo "looks of $devices idle devices: $(($(calls) - before)) in ${IDLE:-120} s"
echo "the hub's database: $(ask "select pg_size_pretty(pg_database_size('postgres'))")"
echo "a device's directory: $(du -sh "$work/2" | cut -f1)"
for number in 1 2; do
  echo "the daemon of device $number: $(grep VmHWM "/proc/$(cat "$work/$number/pid" 2>/dev/null || pgrep -f "localauthd.*$work/$number" | head -1)/status" | tr -s '\t ' ' ')"
done
