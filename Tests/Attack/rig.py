"""Daemons to attack, each in a directory of its own, and what came of the attacks."""

import collections
import os
import shutil
import signal
import subprocess
import threading

from peer import DEVICES, Gone, Peer, Unanswered

PASSCODE = "493021"
# Wrong passcodes that the default table judges before anything must wait for a minute.
FREE_GUESSES = 4
LAST_GUESS = 10
# Seconds of refusal after so many wrong ones, as in policies/passcode-delay/apple-current.json.
WAITS = {4: 60, 5: 300, 6: 900, 7: 3600, 8: 10800, 9: 28800}


# A daemon that is attacked must not outlive who attacks it.
ENDS_WITH_US = ["setpriv", "--pdeathsig", "KILL"]
KINDS = ["let_through", "given_back", "kept_out", "crashes"]


class Tally:
    """One campaign's figures; all but the tries must be 0."""

    def __init__(self, name, seed):
        self.name, self.seed = name, seed
        self.tries = self.let_through = self.given_back = self.kept_out = self.crashes = 0
        self.seconds, self.examples, self.findings = 0, collections.Counter(), []
        self.counts = collections.Counter()

    def count(self, what, number=1):
        """So much was done of one kind: races, kills, guesses at a method."""
        self.counts[what] += number

    def add(self, other):
        """What another process did of the same campaign."""
        for name in ("tries", *KINDS):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seconds = max(self.seconds, other.seconds)
        self.examples.update(other.examples)
        self.counts.update(other.counts)
        self.findings += [finding for finding in other.findings if finding not in self.findings]

    def note(self, kind, what, count=1):
        """Something broke: `kind` is one of KINDS."""
        if count <= 0:
            return
        setattr(self, kind, getattr(self, kind) + count)
        self.examples[f"{kind.replace('_', ' ')}: {what}"] += count

    @property
    def is_clean(self):
        return not any(getattr(self, kind) for kind in KINDS)


class Daemon:
    """A `localauthd` of a user, whose state is `home`."""

    # What is loaded before it: what is attacked is the count, and a guess need not cost what it costs a thief.
    preloaded = None

    def __init__(self, programs, home, arguments=(), days=0):
        self.home, self.socket = home, os.path.join(home, "socket")
        self.log = home + ".log"
        self.command = [*ENDS_WITH_US, os.path.join(programs, "localauthd"), "--home", home,
                        "--idle-exit", "0", *arguments]
        # So many days later than it is, in a time namespace: nobody waits for eight hours here.
        self.days = days
        self.process = None

    def start(self):
        """Starts it and waits until it serves; False when it refuses to."""
        os.makedirs(self.home, mode=0o700, exist_ok=True)
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": self.home}
        if self.preloaded:
            environment["LD_PRELOAD"] = self.preloaded
        reading, writing = os.pipe()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.later(), *self.command, "--ready-fd", str(writing)], pass_fds=[writing],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env=environment)
        os.close(writing)
        with open(reading, "rb") as pipe:
            is_ready = pipe.read(1) != b""
        if not is_ready:
            self.process.wait()
        return is_ready

    def later(self):
        return ["unshare", "--time", "--boottime", str(self.days * 24 * 3600)] if self.days else []

    def start_next_day(self):
        """Kills it and starts it when every wait is over; a connection to it."""
        self.kill()
        self.days += 1
        if not self.start():
            raise RuntimeError(f"localauthd does not start: {self.errors()}")
        return self.connect()

    def kill(self):
        """As a loss of power: it and whatever it started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    @property
    def has_crashed(self):
        """Whether it ended though nobody ended it."""
        return self.process.poll() is not None

    def connect(self):
        return Peer(self.socket)

    def errors(self):
        """Why it crashed, where it says so, else the last thing that it said."""
        with open(self.log, errors="replace") as log:
            lines = log.read().strip().splitlines()
        told = [line for line in lines if "Fatal error" in line or " at /" in line or "Crash" in line]
        return told[:12] or lines[-1:]

    def __enter__(self):
        if not self.start():
            raise RuntimeError(f"localauthd does not start: {self.errors()}")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


def create(peer, name="sim", passcode=PASSCODE, **more):
    """Makes a simulated device with a finger and a passcode."""
    reply = peer.call(DEVICES + "Create", device=name, fingers=["right-index-finger"], passcode=passcode, **more)
    if "error" in reply:
        raise RuntimeError(f"no device: {reply}")


def apple(count):
    """Seconds to wait after so many wrong passcodes, None for ever: a device's own passcode."""
    return None if count >= LAST_GUESS else WAITS.get(count, 0)


def gatekeeper(count):
    """The same for a password that PAM judges; the counts of an attack stay below 30."""
    return 30 if count == 5 or count >= 10 else 0


def most_judged(seconds, table=apple):
    """How many wrong passcodes a table judges in so many seconds."""
    count, waited = 1, 0
    while (wait := table(count)) is not None and waited + wait <= seconds:
        waited += wait
        count += 1
    return count


def wrong(number):
    """A passcode that is not the right one."""
    return f"w{number:05d}"


def wrong_so_far(device):
    """Wrong passcodes that a device counts: as it says, by what is left, or by how long it refuses."""
    if "wrongPasscodes" in device:
        return device["wrongPasscodes"]
    left = device.get("passcodeAttemptsLeft", 0)
    if left > 0 or device["passcode"] == "none":
        return LAST_GUESS - left
    seconds = device.get("passcodeRetryAfterSeconds")
    if seconds is None:
        return LAST_GUESS
    return next(count for count, wait in WAITS.items() if seconds <= wait)


def copy(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=lambda _, names: [name for name in names if name == "socket"])


def at_once(actions):
    """Runs all of them at the same time, each in a thread, and gives what they gave; None for one cut off."""
    answers, unanswered = [None] * len(actions), []
    gate = threading.Barrier(len(actions))

    def run(index):
        try:
            gate.wait()
            answers[index] = actions[index]()
        except Unanswered as error:
            unanswered.append(str(error))
        except Gone:
            pass

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if unanswered:
        raise Unanswered(", ".join(unanswered))
    return answers
