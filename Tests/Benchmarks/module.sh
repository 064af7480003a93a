#!/bin/sh
# Compares pamtester with the PAM module to pamtester with pam_permit, at a service for all users.
#
# usage: module.sh PROGRAMS COMPARE ROOT    ROOT is where the sources are
set -eu

programs=$1
compare=$2
root=$3
work=$(mktemp -d)
# Not one of our own services, in which the module does nothing.
name=la-bench-$$
pids=

cleanup() {
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  for pid in $pids; do wait "$pid" 2>/dev/null || true; done
  rm -f "/etc/pam.d/$name" "/etc/pam.d/$name-permit"
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

make -s -C "$root/pam" OUT="$work" SOCKET="$work/socket"
# Without a terminal of its own a login counts as one from elsewhere.
options="policy=biometrics device=bench allow_simulated allow_remote"
echo "auth required $work/pam_localauth.so $options" >"/etc/pam.d/$name"
echo "auth required pam_permit.so" >"/etc/pam.d/$name-permit"
# It becomes an account that every machine has, and keeps its state behind a directory that it can pass.
chmod 755 "$work"
"$programs/localauthd" --system --account nobody --home "$work/state" --socket "$work/socket" &
pids="$pids $!"
tries=0
until [ -S "$work/socket" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { echo "localauthd --system did not start" >&2; exit 1; }
  sleep 0.1
done
authctl="$programs/authctl --system --socket $work/socket"
$authctl device create bench --finger right-index >/dev/null
$authctl --device bench sensor script match --times always >/dev/null
"$compare" module "$work/socket" bench "$name" "$name-permit" root 0
