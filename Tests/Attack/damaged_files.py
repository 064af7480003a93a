"""Files of the state put back, exchanged, cut and deleted: what a copy without the device key allows."""

import filecmp
import itertools
import os
import random
import shutil

from peer import DEVICES, judged
from rig import LAST_GUESS, PASSCODE, Daemon, Tally, copy, create, wrong
from states import History, are_equal, is_older_as_a_whole, try_state

NAME = "damaged files"
FRAME = 24 + 4096
# One history has so much to damage; a further one has other keys and other bytes.
PART = 5


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    history = History(programs, os.path.join(work, "history"))
    chosen = random.Random(seed)
    attacks = [*put_back(history), *exchanged(programs, work, history), *cut(history), *deleted(history)]
    chosen.shuffle(attacks)
    for what, count, damage in attacks[:max(8, int(len(attacks) * size))]:
        home = os.path.join(work, "home")
        copy(history.at(count), home)
        if damage(home) is not False:
            try_state(tally, history, home, count, what)
    database_put_back_after_each(tally, programs, work, max(14, int(100 * size)))
    return tally


def subsets(files):
    return [names for size in (1, 2, 3) for names in itertools.combinations(files, size)]


def put_back(history):
    """Every file, pair and triple of an older generation; all of them together nobody can notice."""
    def damage(names, count, older):
        def act(home):
            # With a file that did not change it is the attack without that file.
            if any(is_same(name, home, history.at(older)) for name in names):
                return False
            for name in names:
                replace(os.path.join(history.at(older), name), os.path.join(home, name))
            return not is_older_as_a_whole(home, history.at(older), history.at(count))
        return act
    for count, older in [(1, 0), (3, 0), (3, 2), (6, 1), (9, 8), (10, 0), (10, 5), (10, 9)]:
        for names in subsets(history.files()) + [tuple(n for n in history.files() if n.startswith("state"))]:
            yield f"{' and '.join(names)} of {older} after {count}", count, damage(names, count, older)


def exchanged(programs, work, history):
    """Files of another home, which has its own device key and no wrong passcode."""
    other = os.path.join(work, "other-home")
    with Daemon(programs, os.path.join(work, "other")) as daemon:
        peer = daemon.connect()
        create(peer)
        copy(daemon.home, other)

    def damage(names):
        def act(home):
            for name in names:
                replace(os.path.join(other, name), os.path.join(home, name))
            # Where all that counts is the other's, nothing is left here that a passcode could open.
            return not are_equal(home, other, but=["device.key"])
        return act
    for count in (2, 10):
        for names in subsets(history.files()):
            # With its key, a database or a log that holds all of one is another machine.
            if "device.key" not in names or not {"state.sqlite", "state.sqlite-wal"} & set(names):
                yield f"another home's {' and '.join(names)} after {count}", count, damage(names)


def cut(history):
    """The log cut at and inside of each of its frames, and whole with nothing behind it."""
    def damage(length):
        def act(home):
            os.truncate(os.path.join(home, "state.sqlite-wal"), length)
        return act
    for count in (2, 4, 10):
        size = os.path.getsize(os.path.join(history.at(count), "state.sqlite-wal"))
        for frame in range((size - 32) // FRAME + 1):
            for inside in (0, 12, 2000):
                if 32 + frame * FRAME + inside < size:
                    place = "inside of a frame" if inside else "between frames"
                    yield f"the log cut {place} after {count}", count, damage(32 + frame * FRAME + inside)
        for length in (0, 16):
            yield f"the log cut to {length} bytes after {count}", count, damage(length)


def deleted(history):
    """One file after the other, pairs and triples deleted or emptied."""
    def damage(names, is_emptied):
        def act(home):
            for name in names:
                if is_emptied:
                    os.truncate(os.path.join(home, name), 0)
                else:
                    os.remove(os.path.join(home, name))
        return act
    for count, names, is_emptied in itertools.product((7, 10), subsets(history.files()), (False, True)):
        how = "emptied" if is_emptied else "deleted"
        yield f"{' and '.join(names)} {how} after {count}", count, damage(names, is_emptied)


def is_same(name, home, other):
    paths = [os.path.join(directory, name) for directory in (home, other)]
    return all(map(os.path.exists, paths)) and filecmp.cmp(*paths, shallow=False)


def replace(source, target):
    if os.path.exists(source):
        shutil.copy2(source, target)
    elif os.path.exists(target):
        os.remove(target)


def database_put_back_after_each(tally, programs, work, guesses):
    """Wrong passcodes with the first database put back after each: the tenth is final."""
    daemon = Daemon(programs, os.path.join(work, "again"))
    first, count = os.path.join(work, "first"), 0
    with daemon:
        create(daemon.connect())
    copy(daemon.home, first)
    for number in range(guesses):
        with daemon:
            # What was put back is noticed, and the wait begins; it is over on the next day.
            pass
        daemon.days += 1
        with daemon:
            tally.tries += 1
            count += judged(daemon.connect().call(DEVICES + "Unlock", device="sim", passcode=wrong(number)))
        for name in os.listdir(first):
            if name.startswith("state"):
                shutil.copy2(os.path.join(first, name), os.path.join(daemon.home, name))
    daemon.days += 1
    with daemon:
        opened = "error" not in daemon.connect().call(DEVICES + "Unlock", device="sim", passcode=PASSCODE)
    what = f"{count} of {guesses} wrong passcodes judged with the database put back after each"
    tally.findings.append(f"{what}; then the right one was {'accepted' if opened else 'refused'}")
    tally.count("wrong passcodes, each with the database put back after it", guesses)
    tally.note("given_back", what, count - LAST_GUESS)
    if opened and guesses >= LAST_GUESS:
        tally.note("let_through", what + ", and the right one opened after them")
