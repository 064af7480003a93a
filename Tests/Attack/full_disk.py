"""A disk that is full for a while: nothing is charged for it, and the right passcode works when there is room."""

import os
import random

from peer import DEVICES, KEYCHAIN, judged
from place import mount
from rig import PASSCODE, Daemon, Tally, create, wrong, wrong_so_far

NAME = "full disk"
DISK = "/mnt/disk"
QUERY = {"class": "genp", "svce": "full"}


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    chosen = random.Random(seed)
    os.mkdir(DISK)
    mount("-t", "tmpfs", "-o", "size=4m,mode=700", "small", DISK)
    daemon = Daemon(programs, DISK + "/home")
    daemon.log = os.path.join(work, "log")
    for round_number in range(max(1, int(25 * size))):
        for way in ("Unlock", "SetPasscode", "RemovePasscode", "Evaluate"):
            with daemon:
                fill_and_empty(tally, daemon, f"{way.lower()}-{round_number}", way, chosen)
    return tally


def fill(chosen):
    """Takes all room but a few bytes, fewer than a page more often than not."""
    with open(DISK + "/ballast", "wb", buffering=0) as ballast:
        try:
            while True:
                ballast.write(bytes(4096))
        except OSError:
            pass
    spare = chosen.choice([0, 0, 0, 1, 2, 5])
    os.truncate(DISK + "/ballast", max(0, os.path.getsize(DISK + "/ballast") - spare * 4096))


def fill_and_empty(tally, daemon, device, way, chosen):
    peer = daemon.connect()
    create(peer, device)
    peer.call(DEVICES + "Unlock", device=device, passcode=wrong(0))
    fill(chosen)
    # The log's spare room is used up first; what is acknowledged before counts.
    counted = 1 + use_up(tally, peer, device)
    os.remove(DISK + "/ballast")
    state = peer.device(device)
    tally.note("given_back", f"{way}: {counted} were judged, {wrong_so_far(state)} counted",
               counted - wrong_so_far(state))
    if counted < 4:
        expect_right_passcode(tally, peer, device, way)
    state = peer.device(device)
    if state and state["passcode"] != "none" and wrong_so_far(state) > 0:
        tally.note("kept_out", f"{way}: attempts stay charged after the right passcode: {state['passcodeState']}",
                   wrong_so_far(state))
    peer.call(DEVICES + "Erase", device=device)
    peer.call(DEVICES + "Delete", device=device)
    if daemon.has_crashed:
        tally.note("crashes", f"{way}: {daemon.errors()}")


def use_up(tally, peer, device):
    """Writes and guesses until one fails for want of room; how many guesses were judged."""
    for number in range(400):
        added = peer.call(KEYCHAIN + "Add", device=device, query={**QUERY, "acct": str(number)}, data="MTIz" * 900,
                          allowSimulated=True)
        if added.get("answer", {}).get("status") != 0:
            break
    tally.tries += 3
    replies = [peer.call(DEVICES + "Unlock", device=device, passcode=wrong(number)) for number in (1, 2)]
    return sum(judged(reply) for reply in replies)


def expect_right_passcode(tally, peer, device, way):
    """The way in question first, so that it is the one that has to notice the room."""
    if way == "Evaluate":
        outcome = peer.evaluate(device, f"passcode:{PASSCODE}")[0]
    else:
        more = {"new": PASSCODE} if way == "SetPasscode" else {}
        reply = peer.call(DEVICES + way, device=device, passcode=PASSCODE, **more)
        outcome = reply.get("outcome", reply.get("error", "success"))
    if outcome != "success":
        tally.note("kept_out", f"with room again the right passcode by {way} ended with {outcome}")
