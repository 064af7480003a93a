#!/bin/sh
# Makes the root of a small Debian system with systemd once: usage root.sh ROOT
# The mirror and the suite are what this machine's own apt uses.
set -eu
root=$1
packages="systemd,systemd-sysv,dbus,libpam-systemd,libsqlite3-0,libsodium23,libssl3,sudo,login,passwd"
packages="$packages,openssh-server,openssh-client,python3-minimal,sshpass,pamtester"
packages="$packages,polkitd,pkexec,fprintd,fuse3"

# A root of other packages is made anew.
[ "$(cat "$root/.complete" 2>/dev/null)" != "$packages" ] || exit 0
for program in debootstrap systemd-nspawn; do
  command -v "$program" >/dev/null || {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap systemd-container
    break
  }
done

suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(CODENAME) $(SITE) $(REPO_URI) $(CREATED_BY)' |
  awk -v suite="$suite" '$1 == suite && $NF == "Packages" { print $3; exit }')
[ -n "$mirror" ] || { echo "root.sh: apt knows no mirror of $suite here" >&2; exit 1; }

# What an earlier run left half made is of no use.
rm -rf "$root"
mkdir -p "$root"
debootstrap --variant=minbase --include="$packages" "$suite" "$root" "$mirror" >"$root.log" 2>&1 || {
  tail -n 5 "$root.log" >&2
  echo "root.sh: debootstrap failed; the whole log is $root.log" >&2
  exit 1
}
rm -f "$root/etc/machine-id"
# A system that nobody sits at: no consoles, no timers that would take the machine's time.
ln -sf /dev/null "$root/etc/systemd/system/console-getty.service"
ln -sf /dev/null "$root/etc/systemd/system/apt-daily.timer"
ln -sf /dev/null "$root/etc/systemd/system/apt-daily-upgrade.timer"
ln -sf /dev/null "$root/etc/systemd/system/systemd-firstboot.service"
ln -sf multi-user.target "$root/etc/systemd/system/default.target"
echo proving-ground >"$root/etc/hostname"
echo "127.0.0.1 localhost proving-ground" >"$root/etc/hosts"
echo "$packages" >"$root/.complete"
