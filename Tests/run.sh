#!/bin/sh
# Runs a command (the suite) for at most LIMIT seconds: usage run.sh LIMIT COMMAND...
# One that does not end is ended, with its process group, and says which test was open.
set -u
limit=$1
shift
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
{ timeout --kill-after=10 "$limit" "$@" 2>&1; echo "$?" >"$log.status"; } | tee "$log"
status=$(cat "$log.status")
rm -f "$log.status"
if [ "$status" = 124 ] || [ "$status" = 137 ]; then
  echo "The suite did not end within $limit seconds. Tests that had started and not ended:" >&2
  awk '/^◇ Test [^ ]*\(.* started\.$/ { open[$3] = 1 }
    /^(✔|✘) Test .* (passed|failed) after/ { delete open[$3] }
    END { for (name in open) print "  " name }' "$log" | sort >&2
fi
if [ "$status" != 0 ]; then
  echo "What failed:" >&2
  grep '^✘ Test .* recorded an issue' "$log" | cut -c 1-400 | tail -n 20 >&2
  grep '^✘ Test run with ' "$log" | tail -n 1
fi
exit "$status"
