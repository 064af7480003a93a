#!/bin/sh
# Shows policies being evaluated by the built programs: docs/demo/run.sh BINDIR
#
# Everything happens in a home of its own, which is removed at the end together with its daemon. A
# command that does not end with the exit status it should have ends the demonstration with 1.
set -eu

bin=$(cd "${1:?usage: docs/demo/run.sh BINDIR}" && pwd)
unset LOCALAUTH_SOCKET LOCALAUTH_DEVICE LOCALAUTH_ALLOW_SIMULATED
LOCALAUTH_HOME=$(mktemp -d "${TMPDIR:-/tmp}/localauth-demo.XXXXXX")
PATH=$bin:$PATH
export LOCALAUTH_HOME PATH

clean_up() {
  if [ -S "$LOCALAUTH_HOME/socket" ]; then
    # There is no verb that ends a daemon; its process is a member of the status.
    pid=$(authctl --json status | LC_ALL=C sed -n 's/.*"pid":\([0-9][0-9]*\).*/\1/p')
    [ -z "$pid" ] || kill "$pid" 2>/dev/null || :
    # The daemon removes its socket as it ends.
    tries=50
    while [ -S "$LOCALAUTH_HOME/socket" ] && [ "$tries" -gt 0 ]; do
      sleep 0.1
      tries=$((tries - 1))
    done
    [ "$tries" -gt 0 ] || echo 'The daemon of the demonstration did not end.' >&2
  fi
  rm -rf "$LOCALAUTH_HOME"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() { printf '\n# %s\n' "$1"; }

# run STATUS COMMAND: prints the command, runs it, and insists on its exit status.
run() {
  printf '$ %s\n' "$2"
  status=0
  eval "$2" 2>&1 || status=$?
  if [ "$status" -ne "$1" ]; then
    printf 'The demonstration failed: exit status %s instead of %s.\n' "$status" "$1" >&2
    exit 1
  fi
  printf '(exit status %s)\n' "$status"
}

say 'A simulated device with one enrolled finger and a passcode.'
run 0 'echo 2468 | authctl device create demo --finger right-index --passcode-stdin'

say 'The policy "biometrics": a finger that misses, then one that matches.'
run 0 'authctl --device demo evaluate --policy biometrics --reason "try it" --script miss,match'

say 'Three misses in a row lock the finger.'
run 10 'authctl --device demo evaluate --policy biometrics --reason "try it" --script miss,miss,miss'
run 0 'authctl --device demo status'

say 'The right passcode satisfies "device-owner", and clears the lock.'
run 0 'authctl --device demo evaluate --policy device-owner --reason "try it" --script passcode:2468'
run 0 'authctl --device demo evaluate --policy biometrics --reason "try it" --script match'

cat <<END

That device is gone again. To make one that stays, type:

  PATH=$bin:\$PATH
  echo 2468 | authctl device create sim --finger right-index --passcode-stdin
  authctl --device sim evaluate --policy device-owner --reason "deploy to production" && echo deployed

The last one asks on the terminal. Type the passcode there after Tab, or lay a finger on the
sensor from a second terminal:

  authctl --device sim sensor touch right-index --wait

  authctl policy list            the policies
  authctl audit                  past evaluations
  authctl --help                 every verb
END
