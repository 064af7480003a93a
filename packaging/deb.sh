#!/bin/sh
# Builds the Debian packages from this tree: deb.sh PROGRAMS OUTPUT [VERSION]
# PROGRAMS is a folder of programs that were built before, OUTPUT is removed and made anew. With VERSION the packages
# have another one than packaging/debian/changelog says, for trying upgrades.
set -eu
cd "$(dirname "$0")/.."
programs=$(realpath "$1") output=$(realpath -m "$2") version=${3-}

missing=
for package in debhelper dh-apparmor dpkg-dev lintian; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  as_root=
  [ "$(id -u)" = 0 ] || as_root=sudo
  echo "Installing system packages:$missing"
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
fi

# A tree as dpkg-buildpackage wants it: debian/ on top. A clone has more in it than belongs there.
rm -rf "$output"
tree=$output/localauth
mkdir -p "$tree"
if git rev-parse --git-dir >/dev/null 2>&1; then
  git ls-files -z --cached --others --exclude-standard | tar -c --null --files-from=- | tar -x -C "$tree"
else
  tar -c --exclude=./.build --exclude=./.git . | tar -x -C "$tree"
fi
cp -R packaging/debian "$tree/debian"
mkdir -p "$tree/.build/programs/bin" "$tree/.build/programs/lib"
for program in authctl localauthd localauth-pam-worker localauth-bus localauth-fuse localauth-sync; do
  install -m 755 "$programs/$program" "$tree/.build/programs/bin/"
done
install -m 755 "$programs/../lib/mod_localauth.so" "$tree/.build/programs/lib/"
if [ -n "$version" ]; then sed -i "1s/(.*)/($version)/" "$tree/debian/changelog"; fi

# What is made must depend on nothing but the tree: the time is that of the changelog, and paths are left out.
(cd "$tree" && env -u MAKEFLAGS -u MAKELEVEL LC_ALL=C.UTF-8 TZ=UTC dpkg-buildpackage --build=binary --no-sign --no-pre-clean) \
  >"$output/build.log" 2>&1 || {
  tail -n 20 "$output/build.log" >&2
  echo "deb.sh: the build failed; the whole log is $output/build.log" >&2
  exit 1
}
rm -rf "$tree"
ls "$output"/*.deb
