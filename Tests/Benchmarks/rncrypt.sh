#!/bin/sh
# 256 MiB in RNCryptor's format and the two commands of OpenSSL that do the same work: rncrypt.sh COMPARE AUTHCTL DIR
set -eu

compare=$1
authctl=$2
work=$3
mkdir "$work"
head -c 268435456 /dev/urandom > "$work/plain"
echo "not a secret" > "$work/password"
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
vector=00000000000000000000000000000000

# The commands as files, because what is compared has one word for each argument and no shell.
command_file() {
  { echo '#!/bin/sh'; cat; } > "$work/$1"
  chmod +x "$work/$1"
}

for verb in encrypt decrypt; do
  in=plain out=message
  [ $verb = encrypt ] || in=message out=back
  command_file "ours-$verb" <<END
exec "$authctl" rncrypt $verb --in "$work/$in" --out "$work/$out" --password-fd 3 3< "$work/password"
END
done
command_file theirs-encrypt <<END
openssl enc -aes-256-cbc -K $key -iv $vector -in "$work/plain" -out "$work/cbc" &&
  openssl dgst -sha256 -hmac key "$work/cbc"
END
command_file theirs-decrypt <<END
openssl dgst -sha256 -hmac key "$work/cbc" &&
  openssl enc -d -aes-256-cbc -K $key -iv $vector -in "$work/cbc" -out "$work/back"
END

"$compare" commands "rncrypt encrypt, 256 MiB / openssl enc, dgst" 0.75 9 1 \
  "$work/ours-encrypt" -- "$work/theirs-encrypt"
"$compare" commands "rncrypt decrypt, 256 MiB / openssl dgst, enc" 1.15 9 1 \
  "$work/ours-decrypt" -- "$work/theirs-decrypt"
rm -r "$work"
