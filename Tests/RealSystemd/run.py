#!/usr/bin/env python3
"""Boots a small system with systemd and looks how ours behaves there.

usage: run.py ROOT STAGE WORK [--seed N] [--only CHECK,CHECK] [--power-cuts N]

ROOT is what root.sh made, STAGE an installation below a DESTDIR with PREFIX=/usr, WORK is removed and made
anew. It needs root, and mounts in a namespace of its own. Nothing of it can be reached from outside, and
it reaches nothing outside.
"""

import ctypes
import os
import random
import signal
import subprocess
import sys

import checks
import fingers
import power
from machine import Machine

MOUNTS_OF_ITS_OWN = 0x20000


class Report:
    """What held and what did not."""

    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, condition, what, seen=""):
        """One claim; `seen` is what there was instead."""
        if condition:
            self.passed += 1
            print(f"  holds   {what}", flush=True)
        else:
            self.failed += 1
            told = str(seen).strip().replace("\n", "\n            ")
            print(f"  FAILED  {what}" + (f"\n            {told}" if told else ""), flush=True)


def option(arguments, name, fallback):
    return arguments[arguments.index(name) + 1] if name in arguments else fallback


def run(machine, report, chosen):
    state = machine.boot()
    failed = machine.run("systemctl", "--failed", "--plain", "--no-legend").stdout
    report.expect(state == "running", "it boots without a failed unit", f"{state} {failed}")
    checks.make_people(machine)
    for check in checks.ALL + fingers.ALL:
        name = check.__name__
        if not chosen or name in chosen:
            print(name.replace("_", " "), flush=True)
            check(machine, report)


def main():
    arguments = sys.argv[1:]
    if len(arguments) < 3:
        sys.exit(__doc__)
    if os.geteuid() != 0:
        print("A container needs root. Nothing was tried.")
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(MOUNTS_OF_ITS_OWN) != 0:
        raise OSError(ctypes.get_errno(), "a mount namespace cannot be made")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    root, stage, work = (os.path.abspath(path) for path in arguments[:3])
    seed = int(option(arguments, "--seed", random.randrange(1, 1 << 31)))
    chosen = [name for name in option(arguments, "--only", "").split(",") if name]
    print(f"seed {seed}", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to end"))
    machine, report = Machine(root, work), Report()
    try:
        machine.prepare(stage)
        run(machine, report, chosen)
        if not chosen or "power" in chosen:
            power.cuts(machine, report, random.Random(seed), int(option(arguments, "--power-cuts", 20)))
    finally:
        machine.shut_down()
    print(f"{report.passed} passed, {report.failed} failed")
    if report.failed:
        print(f"the machine's files are in {work}/upper, its journal too")
        sys.exit(1)


if __name__ == "__main__":
    main()
