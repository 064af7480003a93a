#!/bin/sh
# 10,000 passwords backed up, verified and restored, and the same database copied by SQLite and encrypted by age:
# backups.sh COMPARE BIN DIR
#
# The backups are for one device, so no password is stretched.
set -eu

compare=$1
bin=$2
work=$3
rounds=9
count=10000
mkdir "$work"
home=$work/home
homes=$home
stop_daemons() {
  for each in $homes; do "$bin/authctl" --home "$each" daemon stop > /dev/null 2>&1 || :; done
}
trap stop_daemons EXIT

"$bin/authctl" --home "$home" device create bench --sensor none --quiet < /dev/null
"$bin/authctl" --home "$home" daemon stop > /dev/null 2>&1
# A restore needs a keychain without items, of the same device: one for each round, and one to warm up.
for number in $(seq 0 $rounds); do
  cp -r "$home" "$work/twin$number"
  homes="$homes $work/twin$number"
done
"$bin/localauth-items" fill "$home" bench $count
for each in $homes; do "$bin/authctl" --home "$each" --device bench status > /dev/null; done
"$bin/authctl" --home "$home" --device bench backup create --device-only --quiet "$work/backup"
age-keygen -o "$work/key" 2> "$work/public"
recipient=$(sed 's/.*: //' "$work/public")

# The commands as files, because what is compared has one word for each argument and no shell.
command_file() {
  { echo '#!/bin/sh'; cat; } > "$work/$1"
  chmod +x "$work/$1"
}

command_file ours-create <<END
exec $bin/authctl --home "$home" --device bench backup create --device-only --quiet "$work/made"
END
command_file theirs-copy <<END
rm -f "$work/copy" && sqlite3 "$home/state.sqlite" ".backup $work/copy" &&
  age -r $recipient -o "$work/new" "$work/copy" && sync "$work/new" && mv "$work/new" "$work/aged" && sync "$work"
END
command_file ours-verify <<END
exec $bin/authctl --home "$work/twin0" --device bench backup verify --quiet "$work/backup"
END
command_file theirs-verify <<END
exec age -d -i "$work/key" "$work/aged" > /dev/null
END
echo 0 > "$work/next"
command_file ours-restore <<END
read -r number < "$work/next"
echo \$((number + 1)) > "$work/next"
exec $bin/authctl --home "$work/twin\$number" --device bench backup restore --quiet "$work/backup"
END

"$compare" commands "backup create, $count items / .backup and age" 3.0 $rounds 1 \
  "$work/ours-create" -- "$work/theirs-copy"
"$compare" commands "backup verify, $count items / age -d" 1.2 $rounds 1 \
  "$work/ours-verify" -- "$work/theirs-verify"
"$compare" commands "backup restore, $count items / .backup and age" 3.0 $rounds 1 \
  "$work/ours-restore" -- "$work/theirs-copy"
stop_daemons
trap - EXIT
rm -r "$work"
