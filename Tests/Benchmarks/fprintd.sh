#!/bin/sh
# Compares with fprintd on libfprint's virtual sensor, on a message bus of its own and without root.
#
# usage: fprintd.sh FPRINTD COMPARE COMMAND…      COMMAND is what fprintd-verify is compared with
set -eu

fprintd=$1
compare=$2
shift 2
work=$(mktemp -d)
pids=

cleanup() {
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

cat >"$work/bus.conf" <<EOF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=$work/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="false"/><allow receive_sender="*"/><allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>
EOF
export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$work/bus"
dbus-daemon --config-file="$work/bus.conf" --nofork --nopidfile 2>"$work/bus.log" &
pids="$pids $!"
until [ -S "$work/bus" ]; do sleep 0.05; done

# Somebody has to say that we may use the reader.
/usr/bin/python3 -m dbusmock --system --template polkitd >"$work/polkit.log" 2>&1 &
pids="$pids $!"
authority="--address $DBUS_SYSTEM_BUS_ADDRESS -d org.freedesktop.PolicyKit1"
tries=0
# shellcheck disable=SC2086
until gdbus call $authority -o /org/freedesktop/PolicyKit1/Authority \
  -m org.freedesktop.DBus.Mock.SetAllowed "['net.reactivated.fprint.device.verify',
    'net.reactivated.fprint.device.enroll', 'net.reactivated.fprint.device.setusername']" \
  >/dev/null 2>&1; do
  tries=$((tries + 1))
  [ "$tries" -lt 50 ] || { echo "the stand-in for polkitd did not start" >&2; exit 1; }
  sleep 0.1
done

sensor=$work/sensor
mkdir "$work/state"
FP_VIRTUAL_DEVICE=$sensor FP_DRIVERS_WHITELIST=virtual_device STATE_DIRECTORY=$work/state \
  "$fprintd" -t >"$work/fprintd.log" 2>&1 &
pids="$pids $!"
until gdbus call --address "$DBUS_SYSTEM_BUS_ADDRESS" -d org.freedesktop.DBus \
  -o /org/freedesktop/DBus -m org.freedesktop.DBus.NameHasOwner net.reactivated.Fprint |
  grep -q true; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || { echo "fprintd did not start" >&2; exit 1; }
  sleep 0.1
done
user=$(id -un)
"$compare" touch "$sensor" "$(command -v fprintd-enroll)" -f right-index-finger "$user"
"$compare" fprintd "$sensor" "$@" -- "$(command -v fprintd-verify)" "$user"
