#!/bin/sh
# Puts a revision into production once the person at this machine has approved exactly that.
#
# usage: deploy.sh ROOT REVISION
#
# ROOT/releases has a folder for each revision; the link ROOT/current says which one is in production.
#
# Exits with 0 when it is deployed, 1 when the person said no, 2 for a wrong command line, 5 when nobody
# could be asked, and 70 when something is broken. Nothing is deployed unless it exits with 0.
set -eu

complain() {
  printf 'deploy.sh: %s\n' "$2" >&2
  exit "$1"
}

[ $# -eq 2 ] || complain 2 'usage: deploy.sh ROOT REVISION'
root=$(CDPATH= cd -- "$1" && pwd -P) || exit 2

# What is approved must be what runs. A name that can move, such as "latest", is resolved once, before
# anybody is asked; from here on only the folder's own name is used, to ask and to act.
folder=$(CDPATH= cd -- "$root/releases/$2" && pwd -P) || exit 2
revision=${folder##*/}
[ "$folder" = "$root/releases/$revision" ] || complain 2 "$2 is not a release of $root"
# The person must see the same name that the machine acts on: no blanks, no look-alikes.
case $revision in
  *[!A-Za-z0-9._-]*) complain 2 'the name of a revision has letters, digits, ".", "_" and "-"' ;;
esac

deploy() {
  # A new link takes the old one's place in one step.
  ln -s "releases/$revision" "$root/current.$$"
  mv -T -- "$root/current.$$" "$root/current"
}

status=0
authctl evaluate --policy device-owner --reason 'a deployment from this shell' \
  --action "deploy $revision to production" || status=$?

# Only 0 is a yes. The others are told apart for who has to do something about it: authctl(1) lists them.
case $status in
  0) deploy ;;
  1 | 3 | 4 | 6 | 10 | 11) complain 1 "not approved; $revision was not deployed" ;;
  5 | 12 | 13 | 14) complain 5 "nobody could be asked; $revision was not deployed" ;;
  77) complain 77 "a simulated device approves no deployment; $revision was not deployed" ;;
  *) complain 70 "authctl is broken ($status); $revision was not deployed" ;;
esac
printf 'deployed %s\n' "$revision"
