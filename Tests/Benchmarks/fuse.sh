#!/bin/sh
# Mounted files beside gocryptfs, in a mount namespace of their own: fuse.sh COMPARE OPENS PROGRAMS DIR
set -eu

if [ "${FUSE_SH_INSIDE-}" != 1 ]; then
  FUSE_SH_INSIDE=1 exec unshare --mount --propagation private sh "$0" "$@"
fi
compare=$1
opens=$2
programs=$3
work=$4
mkdir "$work" "$work/vault" "$work/ours" "$work/crypt" "$work/theirs"
authctl="$programs/authctl --home $work/home"

cleanup() {
  umount "$work/ours" 2>/dev/null || :
  umount "$work/theirs" 2>/dev/null || :
  $authctl daemon stop >/dev/null 2>&1 || :
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

echo 2468 | $authctl device create bench --sensor none --passcode-stdin --quiet
echo 2468 | $authctl --device bench device unlock --passcode-stdin --quiet
$authctl --device bench file mount "$work/vault" "$work/ours" --quiet
echo 2468 | gocryptfs -q -init -scryptn 10 "$work/crypt" >/dev/null
echo 2468 | gocryptfs -q "$work/crypt" "$work/theirs"
head -c 268435456 /dev/urandom >"$work/plain"
for place in ours theirs; do
  mkdir "$work/$place/small"
  for number in $(seq 0 199); do
    dd if="$work/plain" of="$work/$place/small/$number" bs=4096 skip="$number" count=1 status=none
  done
done

# The commands as files, because what is compared has one word for each argument and no shell.
for place in ours theirs; do
  cat >"$work/write-$place" <<END
#!/bin/sh
exec dd if="$work/plain" of="$work/$place/big" bs=1M conv=fsync status=none
END
  # The kernel's own copy of the content would be read otherwise.
  cat >"$work/read-$place" <<END
#!/bin/sh
dd if="$work/$place/big" iflag=nocache count=0 status=none
exec dd if="$work/$place/big" of=/dev/null bs=1M status=none
END
  cat >"$work/opens-$place" <<END
#!/bin/sh
exec $opens "$work/$place/small" 200 \$1
END
done
chmod +x "$work"/write-* "$work"/read-* "$work"/opens-*

"$compare" commands "write 256 MiB mounted / gocryptfs" 1.0 5 1 \
  "$work/write-ours" -- "$work/write-theirs"
"$compare" commands "read 256 MiB mounted / gocryptfs" 1.0 5 1 \
  "$work/read-ours" -- "$work/read-theirs"
"$compare" machines "open, read, close of 4 KiB mounted / gocryptfs" 1.0 \
  "$work/opens-ours" "$work/opens-theirs" 2000
