"""A mount namespace in which an attack has a directory, programs, accounts and a PAM of its own."""

import ctypes
import os
import signal
import subprocess

MOUNTS_OF_ITS_OWN = 0x20000
PARENT_DEATH_SIGNAL = 1
# Accounts that only this namespace knows.
SERVICE, ALICE, BOB = 61100, 61101, 61102
ACCOUNTS = {"attack-service": SERVICE, "attack-alice": ALICE, "attack-bob": BOB}
ACCOUNT_PASSWORD = "the account's own"
JUDGE = """#!/bin/sh
# Judges as pam_unix would: the password comes on standard input.
[ "$(tr -d '\\0')" = "$(cat /mnt/pam/password)" ]
"""
# pam_exec says that the system failed where a program says no; pam_deny says what pam_unix would.
STACK = """auth [success=1 default=ignore] pam_exec.so quiet expose_authtok /mnt/pam/judge
auth requisite pam_deny.so
auth required pam_permit.so
account required pam_permit.so
"""


class Place:
    """/mnt as a file system in memory: `programs`, `work`, and PAM services in /mnt/pam/services."""

    programs, work = "/mnt/programs", "/mnt/work"

    def __init__(self, programs):
        libc = ctypes.CDLL(None, use_errno=True)
        # It ends with whoever started it, however that ends.
        libc.prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if libc.unshare(MOUNTS_OF_ITS_OWN) != 0:
            raise OSError(ctypes.get_errno(), "a mount namespace cannot be made")
        mount("--make-rprivate", "/")
        mount("-t", "tmpfs", "-o", "mode=755,size=1g", "attack", "/mnt")
        for path in (self.programs, self.work, "/mnt/pam", "/mnt/pam/services"):
            os.mkdir(path, 0o755)
        mount("--bind", programs, self.programs)
        self.add_accounts()
        write("/mnt/pam/judge", JUDGE, 0o755)
        write("/mnt/pam/services/localauth", STACK)
        set_account_password(ACCOUNT_PASSWORD)

    @staticmethod
    def add_accounts():
        for name, line in (("passwd", "{0}:x:{1}:{1}::/nonexistent:/bin/sh\n"), ("group", "{0}:x:{1}:\n")):
            with open("/etc/" + name) as file:
                text = file.read()
            added = "".join(line.format(account, uid) for account, uid in ACCOUNTS.items())
            write("/mnt/" + name, text.rstrip("\n") + "\n" + added)
            mount("--bind", "/mnt/" + name, "/etc/" + name)


def set_account_password(password):
    """From now on PAM takes this one."""
    write("/mnt/pam/password", password)


def mount(*words):
    subprocess.run(["mount", *words], check=True)


def write(path, text, mode=0o644):
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)
