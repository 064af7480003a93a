#!/bin/sh
# Items of two devices through a PostgreSQL of its own: how long an edit takes, and a first synchronization:
# sync.sh BIN UNSEAL
set -eu

bin=$1
unseal=$2
here=$(dirname "$0")
count=10000
work=$(mktemp -d)
cleanup() {
  for home in "$work/one" "$work/two"; do "$bin/authctl" --home "$home" daemon stop >/dev/null 2>&1 || true; done
  stop_postgres
  rm -rf "$work"
}
stop_postgres() { :; }
trap cleanup EXIT
trap 'exit 1' HUP INT TERM
. "$here/postgres.sh"
umask 077

one() { "$bin/authctl" --home "$work/one" --device bench "$@"; }
two() { "$bin/authctl" --home "$work/two" --device bench "$@"; }
for home in one two; do
  mkdir "$work/$home"
  echo 1234 | "$bin/authctl" --home "$work/$home" device create bench --sensor none --passcode-provider device --passcode-stdin --quiet
  echo 1234 | "$bin/authctl" --home "$work/$home" --device bench device unlock --stdin >/dev/null 2>&1
done
{
  echo '{"localauth":"keychain","version":1}'
  seq "$count" | sed 's/.*/{"class":"generic-password","accessible":"whenUnlocked","synchronizable":true,"attributes":{"acct":"account-&","svce":"org.example.bench","labl":"Example"},"data":"aHVudGVyMmh1bnRlcjJodW50ZXIy"}/'
} >"$work/items"
one keychain import "$work/items" >/dev/null 2>&1

seconds() { date +%s.%N; }
# Prints the milliseconds since a time until a device shows as many records; it asks the hub, and does not wait to be told.
until_has() {
  begun=$2
  until "$1" sync now --json | grep -q "\"records\":$count,\"outgoing\":0,\"incoming\":0"; do :; done
  echo "$begun $(seconds)" | awk '{ printf "%.0f", ($2 - $1) * 1000 }'
}

place="$work/socket --database postgres"
begun=$(seconds)
# shellcheck disable=SC2086 # The place is several words.
printf '%s\n1234\n' "$(cat "$work/code")" | one sync found $place --name one --code-stdin --passcode-stdin 2>/dev/null
founded=$(until_has one "$begun")
one sync invite --no-wait >"$work/invitation" 2>/dev/null
# shellcheck disable=SC2086
words=$(printf '%s\n1234\n' "$(cat "$work/invitation")" | two sync join $place --name two --code-stdin --passcode-stdin --no-wait --json | sed 's/.*"words":\[\([^]]*\)\].*/\1/; s/[",]/ /g')
until echo 1234 | one sync approve --words "$words" --passcode-stdin >/dev/null 2>&1; do :; done
joined=$(until_has two "$(seconds)")
# Three times, because the first one reads from the disk.
copied=$(for _ in 1 2 3; do
  begun=$(seconds)
  psql -q -h "$work/socket" -U postgres -c '\copy (select body from localauth.record) to /dev/null'
  echo "$begun $(seconds)" | awk '{ printf "%.1f\n", ($2 - $1) * 1000 }'
done | sort -n | sed -n 2p)
figure "$count items sent by who founds a circle" 60000 "$founded" ms
bytes=$(psql -qAt -h "$work/socket" -U postgres -c 'select avg(length(body))::int from localauth.record')
opened=$("$unseal" "$count" "$bytes")
figure "$count items on a device that joins / COPY, opened" 3 "$(echo "$joined $copied $opened" | awk '{ print $1 / ($2 + $3) }')" ratio

edited=$(python3 "$here/edits.py" "$work/one/socket" "$work/two/socket" bench 15)
figure "an edit, until another device has it" 100 "$edited" ms
edited=$(python3 "$here/edits.py" "$work/one/socket" "$work/two/socket" bench 15 values)
figure "a value of a key-value store, until another device has it" 100 "$edited" ms
