#!/bin/sh
# A document of 100 MiB written and read, and rclone doing the same with an encrypted folder: documents.sh COMPARE AUTHCTL DIR
set -eu

compare=$1
authctl=$2
work=$3
mkdir "$work"
ours="$authctl --home $work/home --device bench"
trap '$authctl --home "$work/home" daemon stop > /dev/null 2>&1 || :' EXIT
echo 2468 | $ours device create bench --sensor none --passcode-stdin --quiet
head -c 104857600 /dev/urandom > "$work/plain"
mkdir "$work/folder"
printf '[secret]\ntype = crypt\nremote = %s\npassword = %s\n' "$work/folder" "$(rclone obscure "$(head -c 18 /dev/urandom | base64)")" \
  > "$work/rclone.conf"
theirs="rclone --config $work/rclone.conf"

# The commands as files, because what is compared has one word for each argument and no shell.
command_file() {
  { echo '#!/bin/sh'; cat; } > "$work/$1"
  chmod +x "$work/$1"
}

# Each run has a name of its own, because both would notice that there is nothing to do.
command_file ours <<END
$ours doc put film-\$\$ "$work/plain" --quiet && exec $ours doc get film-\$\$ "$work/copy" --quiet
END
command_file theirs <<END
$theirs copyto "$work/plain" secret:film-\$\$ && sync "$work"/folder/* && exec $theirs copyto --ignore-times secret:film-\$\$ "$work/copy"
END

"$compare" commands "doc put and get, 100 MiB / rclone crypt" 2.0 9 1 "$work/ours" -- "$work/theirs"
cmp "$work/plain" "$work/copy"
$authctl --home "$work/home" daemon stop > /dev/null 2>&1
rm -r "$work"
