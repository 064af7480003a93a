#!/usr/bin/env python3
"""Installs, upgrades, removes and purges the packages in a container with a real systemd.

usage: packages.py ROOT WORK PACKAGES NEXT

ROOT is what root.sh made, WORK is removed and made anew, PACKAGES has the packages and NEXT those of a
later version. It needs root, and reaches nothing outside.
"""

import ctypes
import glob
import os
import shutil
import subprocess
import sys

import life
from machine import Machine
from run import MOUNTS_OF_ITS_OWN, Report


def main(root, work, packages, following):
    if os.geteuid() != 0:
        print("A container needs root. Nothing was tried.")
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(MOUNTS_OF_ITS_OWN) != 0:
        raise OSError(ctypes.get_errno(), "a mount namespace cannot be made")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    machine, report = Machine(root, work), Report()
    try:
        machine.prepare(os.devnull)
        for name, folder in (("now", packages), ("next", following)):
            os.makedirs(f"{machine.root}/opt/{name}")
            for package in glob.glob(folder + "/*.deb"):
                shutil.copy(package, f"{machine.root}/opt/{name}/")
        state = machine.boot()
        report.expect(state == "running", "it boots without a failed unit", state)
        life.live(machine, report)
    finally:
        machine.shut_down()
    print(f"{report.passed} passed, {report.failed} failed")
    if report.failed:
        print(f"the machine's files are in {work}/upper")
        sys.exit(1)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*map(os.path.abspath, sys.argv[1:]))
