#!/bin/sh
# 256 MiB as a protected file, and age doing the same as durably: files.sh COMPARE AUTHCTL DIR
set -eu

compare=$1
authctl=$2
work=$3
mkdir "$work"
ours="$authctl --home $work/home --device bench"
trap '$authctl --home "$work/home" daemon stop > /dev/null 2>&1 || :' EXIT
echo 2468 | $ours device create bench --sensor none --passcode-stdin --quiet
head -c 268435456 /dev/urandom > "$work/plain"
age-keygen -o "$work/key" 2> "$work/public"
recipient=$(sed 's/.*: //' "$work/public")

# The commands as files, because what is compared has one word for each argument and no shell.
command_file() {
  { echo '#!/bin/sh'; cat; } > "$work/$1"
  chmod +x "$work/$1"
}

command_file ours-protect <<END
cp "$work/plain" "$work/protected" && exec $ours file protect --quiet "$work/protected"
END
command_file theirs-protect <<END
cp "$work/plain" "$work/copy" && age -r $recipient -o "$work/new" "$work/copy" && sync "$work/new" &&
  mv "$work/new" "$work/copy" && sync "$work"
END
command_file ours-read <<END
exec $ours file cat "$work/protected" > /dev/null
END
command_file theirs-read <<END
exec age -d -i "$work/key" "$work/copy" > /dev/null
END

"$compare" commands "cp and file protect, 256 MiB / cp and age" 1.0 9 1 \
  "$work/ours-protect" -- "$work/theirs-protect"
"$compare" commands "file cat, 256 MiB / age -d" 0.8 9 1 "$work/ours-read" -- "$work/theirs-read"
$authctl --home "$work/home" daemon stop > /dev/null 2>&1
rm -r "$work"
