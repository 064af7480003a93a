#!/bin/sh
# Compares with polkit, on a message bus of its own.
#
# usage: polkit.sh POLKITD COMPARE SOCKET DEVICE
set -eu

polkitd=$1
compare=$2
socket=$3
device=$4
work=$(mktemp -d)
pids=

cleanup() {
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  for pid in $pids; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

# polkitd takes off root's rights and has to reach the bus.
chmod 711 "$work"
cat >"$work/bus.conf" <<CONF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=$work/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow send_destination="*" eavesdrop="false"/><allow receive_sender="*"/><allow own="*"/>
  </policy>
</busconfig>
CONF
export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$work/bus"
dbus-daemon --config-file="$work/bus.conf" --nofork --nopidfile 2>"$work/bus.log" &
pids="$pids $!"
tries=0
until [ -S "$work/bus" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { cat "$work/bus.log" >&2; exit 1; }
  sleep 0.1
done
"$polkitd" --no-debug >"$work/polkitd.log" 2>&1 &
pids="$pids $!"
tries=0
until gdbus call --system --dest org.freedesktop.PolicyKit1 \
  --object-path /org/freedesktop/PolicyKit1/Authority \
  --method org.freedesktop.DBus.Peer.Ping >/dev/null 2>&1; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { cat "$work/polkitd.log" >&2; exit 1; }
  sleep 0.1
done
"$compare" polkit "$socket" "$device"
