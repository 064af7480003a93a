#!/bin/sh
# Compares with gnome-keyring, on a message bus of its own and with a keyring of its own.
#
# usage: keyring.sh DIRECTORY SOCKET DEVICE DAEMON COMMAND…
#   the directory has the programs compare and keyring; DAEMON is the pid of the daemon at the socket;
#   COMMAND prints the data of account-5000
set -eu

programs=$1
socket=$2
device=$3
daemon=$4
shift 4
work=$(mktemp -d)
pids=

cleanup() {
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  for pid in $pids; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

export HOME="$work" XDG_RUNTIME_DIR="$work" XDG_DATA_HOME="$work" XDG_CONFIG_HOME="$work"
unset DISPLAY WAYLAND_DISPLAY GNOME_KEYRING_CONTROL
cat >"$work/bus.conf" <<EOF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=$work/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="false"/><allow receive_sender="*"/><allow own="*"/>
  </policy>
</busconfig>
EOF
export DBUS_SESSION_BUS_ADDRESS="unix:path=$work/bus"
dbus-daemon --config-file="$work/bus.conf" --nofork --nopidfile 2>"$work/bus.log" &
pids="$pids $!"
until [ -S "$work/bus" ]; do sleep 0.05; done
printf 'not-a-secret' |
  gnome-keyring-daemon --foreground --unlock --components=secrets >"$work/keyring.log" 2>&1 &
pids="$pids $!"
tries=0
until printf '0123456789abcdef0123456789abcdef' |
  secret-tool store --label=Example service org.example.bench account account-5000 2>/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 50 ] || { echo "gnome-keyring did not start" >&2; exit 1; }
  sleep 0.1
done

# Lookups are compared with everybody on one processor, as the clients are there: else the figure is how
# fast the other one wakes up.
all=$(taskset -cp "$daemon" | sed 's/.*: //')
last=$(($(nproc --all) - 1))
for pid in $pids $daemon; do taskset -acp "$last" "$pid" >"$work/pinned"; done
"$programs/compare" paces "read through the daemon / libsecret lookup" 0.05 \
  "$programs/compare reads $socket $device 5000" "$programs/keyring 200" ""
for pid in $pids $daemon; do taskset -acp "$all" "$pid" >"$work/pinned"; done
"$programs/compare" commands "authctl keychain get / secret-tool lookup" 0.2 15 10 \
  "$@" -- "$(command -v secret-tool)" lookup service org.example.bench account account-5000
