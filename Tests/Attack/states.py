"""What damaged states are made of: copies of one home after each wrong passcode, and what a copy allows."""

import filecmp
import os
import shutil
import sqlite3

from peer import DEVICES, Gone, Peer, judged
from rig import FREE_GUESSES, LAST_GUESS, PASSCODE, Daemon, copy, create, wrong, wrong_so_far

# Files that are made anew from the others at a start.
DERIVED = {"lock", "socket", "state.sqlite-shm"}
# The tables and the files beside the database that hold counts or vouch for them.
TABLES = ["device", "keybag"]
BESIDE = ["sequence", "watermark"]
DATABASE = {"state.sqlite", "state.sqlite-wal"}


class History:
    """A home with two devices; `at(n)` is a copy of it after `n` wrong passcodes for `sim`."""

    def __init__(self, programs, work, misses=1):
        self.programs, self.work, self.misses = programs, work, misses
        with Daemon(programs, os.path.join(work, "original")) as daemon:
            peer = daemon.connect()
            create(peer)
            create(peer, "other", "another one")
            peer.evaluate("sim", ",".join(["miss"] * misses + ["cancel"]), policy="biometrics")
            copy(daemon.home, self.at(0))
            for count in range(1, LAST_GUESS + 1):
                reply = peer.call(DEVICES + "Unlock", device="sim", passcode=wrong(count))
                if not judged(reply):
                    raise RuntimeError(f"wrong passcode {count} was not judged: {reply}")
                copy(daemon.home, self.at(count))
                # The log of the first ones is not cut by a start, so that there is something to cut.
                if count >= FREE_GUESSES:
                    peer = daemon.start_next_day()

    def at(self, count):
        return os.path.join(self.work, f"after-{count}")

    def files(self):
        """The files that hold state, whatever this version keeps."""
        return sorted(name for name in os.listdir(self.at(0)) if name not in {"lock", "socket"})


def are_equal(home, other, but=()):
    """Whether one home says what the other one says, but for what is made anew and files named `but`.

    What a database says is in its file and its log together: a log that has every page is the whole database.
    """
    def contents(directory):
        found = {"database": rows_of_all(directory)}
        for name in set(os.listdir(directory)) - DERIVED - DATABASE - set(but):
            with open(os.path.join(directory, name), "rb") as file:
                found[name] = file.read()
        return found
    first, second = contents(home), contents(other)
    return first == second and first["database"] is not None


def is_older_as_a_whole(home, older, newer):
    """Whether nothing that counts in a home is from after the older generation, which nobody can notice.

    The files beside the database are the older ones, and it has no row of the newer generation's, as where a log
    without them was left beside an older file.
    """
    if any(not filecmp.cmp(os.path.join(home, name), os.path.join(older, name), shallow=False) for name in BESIDE):
        return False
    found, before, after = (rows_of_all(directory) for directory in (home, older, newer))
    return found is not None and not any(
        set(found.get(table, [])) & (set(after[table]) - set(before[table])) for table in TABLES)


def counted_at_least(history, home, count):
    """The wrong passcodes that a damaged home must still count, of `count` that were made.

    A lock for good is one less where nothing shows the last one: no file beside the database is one of ours, and the
    database has no row that came with it.
    """
    if count < LAST_GUESS or is_any_beside_ours(history, home):
        return count
    found, before, after = (rows_of_all(directory) for directory in (home, history.at(count - 1), history.at(count)))
    has_last = found is not None and any(
        set(found.get(table, [])) & (set(after[table]) - set(before[table])) for table in TABLES)
    return count if has_last else count - 1


def is_any_beside_ours(history, home):
    paths = [os.path.join(home, name) for name in BESIDE]
    ours = [os.path.join(history.at(number), name) for number in range(LAST_GUESS + 1) for name in BESIDE]
    return any(os.path.exists(path) and filecmp.cmp(path, other, shallow=False) for path in paths for other in ours)


def rows_of_all(home):
    """All that the database of a home says, read from a copy so that the log stays as it is; None where it cannot."""
    copied = home + "-read"
    copy(home, copied)
    database = sqlite3.connect(os.path.join(copied, "state.sqlite"))
    try:
        tables = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")]
        return {name: list(database.execute(f"SELECT * FROM {name}")) for name in tables}
    except sqlite3.Error:
        return None
    finally:
        database.close()
        shutil.rmtree(copied, ignore_errors=True)


def try_state(tally, history, home, count, what):
    """Starts a damaged home, that had counted `count`, and notes what it gave. The home is removed."""
    tally.tries += 1
    tally.count("damaged states")
    least = counted_at_least(history, home, count)
    # On the day of the last wrong passcode, so that its refusal is still running.
    daemon = Daemon(history.programs, home, days=max(0, count - FREE_GUESSES))
    try:
        # A daemon that refuses to start gives nobody anything.
        if daemon.start():
            look(tally, history, daemon, count, least, what)
        elif daemon.process.returncode < 0 or daemon.process.returncode > 78:
            tally.note("crashes", f"{what}: ended with {daemon.process.returncode}")
    except Gone:
        tally.note("crashes", f"{what}: {daemon.errors()}")
    finally:
        if daemon.process.poll() is None:
            daemon.kill()
        shutil.rmtree(home, ignore_errors=True)


def look(tally, history, daemon, count, least, what):
    peer = Peer(daemon.socket)
    device = peer.device()
    if device is None or device["passcode"] == "none":
        return
    counted = wrong_so_far(device)
    tally.note("given_back", f"{what}: {count} wrong passcodes became {counted}", least - counted)
    if device["biometry"] == "usable":
        misses = 3 - device.get("attemptsLeft", 0)
        tally.note("given_back", f"{what}: {history.misses} misses became {misses}", history.misses - misses)
    owner_still_gets_in(tally, peer, device, least, what)


def owner_still_gets_in(tally, peer, device, count, what):
    """The right passcode works where attempts are left, and never past the last one."""
    reply = peer.call(DEVICES + "Unlock", device="sim", passcode=PASSCODE)
    if count >= LAST_GUESS and "error" not in reply:
        tally.note("let_through", f"{what}: a device that is locked for good opened")
    if device.get("passcodeAttemptsLeft", 0) > 0 and judged(reply):
        tally.note("kept_out", f"{what}: the right passcode was refused: {reply}")
