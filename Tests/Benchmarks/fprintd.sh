#!/bin/sh
# Compares with fprintd on libfprint's virtual sensor, on a message bus of its own and without root.
#
# usage: fprintd.sh FPRINTD COMPARE PROGRAMS COMMAND…
#
# COMMAND, on a simulated sensor, is compared with fprintd-verify, and then the same through fprintd as well.
set -eu

fprintd=$1
compare=$2
programs=$3
shift 3
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

mkdir "$work/manifests"
chmod 755 "$work" "$work/manifests"
cat >"$work/manifests/reader.json" <<EOF
{"name": "reader", "summary": "The virtual reader.", "program": "$programs/localauth-bus",
 "arguments": ["--simulated", "--bus", "$DBUS_SYSTEM_BUS_ADDRESS"],
 "kind": "fingerprint", "asks": "touch", "simulated": true, "presence": true}
EOF
chmod 644 "$work/manifests/reader.json"
"$programs/localauthd" --home "$work/home" --authenticators "$work/manifests" --idle-exit 0 &
pids="$pids $!"
until [ -S "$work/home/socket" ]; do sleep 0.05; done
authctl="$programs/authctl --home $work/home --device reader"
passcode=724913
echo "$passcode" | $authctl device create reader --sensor none --passcode-stdin --quiet
# What was enrolled without us counts once the passcode is proven.
echo "$passcode" | $authctl evaluate --policy passcode --reason measure --passcode-fd 0 --quiet
# shellcheck disable=SC2086
"$compare" reader "$sensor" $authctl evaluate --policy biometrics --reason measure --headless -- \
  "$(command -v fprintd-verify)" "$user"
