"""kill -9 of the daemon under load: what was judged stays counted, and an item is wholly old or new."""

import base64
import os
import random
import threading
import time

from peer import DEVICES, KEYCHAIN, Gone, judged
from place import ACCOUNT_PASSWORD, set_account_password
from rig import (FREE_GUESSES, LAST_GUESS, PASSCODE, Daemon, Tally, at_once, create, gatekeeper, most_judged,
                 wrong, wrong_so_far)

NAME = "kills"
# The most of it that one process does: what is more goes to further ones, side by side.
PART = 1.25
MISSES = 3
QUERY = {"class": "genp", "acct": "me", "svce": "kill"}
# Half of the kills come in the first moments, where most is written.
LATEST, SOON = 0.35, 0.08


class Desk:
    """A device that one kill after the other meets, and the version of its item that was acknowledged last."""

    def __init__(self, daemon, name):
        self.name, self.account = name, "pam-" + name
        self.done = self.sent = 0
        peer = daemon.connect()
        create(peer, self.name)
        item(peer, self.name, "Add", 0)
        create(peer, self.account, None, pamService="localauth", pamDirectory="/mnt/pam/services")

    def leave(self, daemon):
        peer = daemon.connect()
        for name in (self.name, self.account):
            peer.call(DEVICES + "Erase", device=name)
            peer.call(DEVICES + "Delete", device=name)


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    chosen = random.Random(seed)
    daemon = Daemon(programs, os.path.join(work, "home"), ["--pam-confdir", "/mnt/pam/services"])
    set_account_password(ACCOUNT_PASSWORD)
    desk = None
    if not started(tally, daemon):
        return tally
    for number in range(max(8, int(500 * size))):
        desk = desk or Desk(daemon, f"sim-{number}")
        if not kill_once(tally, daemon, desk, chosen):
            break
        if is_locked(daemon, desk):
            # The number of devices is limited, so nothing is left behind.
            desk = desk.leave(daemon)
    daemon.kill()
    return tally


def started(tally, daemon):
    if daemon.start():
        return True
    tally.note("crashes", f"no start after a kill: {daemon.errors()}")
    return False


def is_locked(daemon, desk):
    return wrong_so_far(daemon.connect().device(desk.name)) >= LAST_GUESS


def kill_once(tally, daemon, desk, chosen):
    """A day's load, a kill in it, what it left, and the next day; False when nothing starts any more."""
    asks_account = chosen.random() < 1 / 3
    if asks_account:
        expect_own_password(tally, daemon, desk)
    peer = daemon.connect()
    before = counts(peer.device(desk.name))
    load = [guessing(daemon, desk.name), guessing(daemon, desk.name), touching(daemon, desk.name),
            writing(daemon, desk)]
    if asks_account:
        load.append(guessing(daemon, desk.account))
    moment = chosen.uniform(0, chosen.choice([SOON, LATEST]))
    killer = threading.Thread(target=lambda: (time.sleep(moment), daemon.kill()))
    killer.start()
    answers = at_once(load)
    killer.join()
    tally.count("kills")
    tally.tries += 1
    if asks_account:
        if not started(tally, daemon):
            return False
        expect_same_account(tally, daemon, desk.account, answers[4])
        daemon.kill()
    daemon.days += 1
    if not started(tally, daemon):
        return False
    look(tally, daemon, desk, before, sum(answers[:2]), answers[2])
    owner_comes(tally, daemon, desk, chosen)
    return True


def counts(state):
    """Wrong passcodes and missed fingers that a device counts."""
    return wrong_so_far(state), MISSES - state.get("attemptsLeft", 0)


def expect_own_password(tally, daemon, desk):
    """On a day when no wait is left the account's password opens, whatever was killed before."""
    reply = daemon.connect().call(DEVICES + "Unlock", device=desk.account, passcode=ACCOUNT_PASSWORD)
    if "error" in reply:
        tally.note("kept_out", f"after a kill the account's password was refused: {reply}")


def expect_same_account(tally, daemon, account, before):
    """PAM's workers died too: what was judged before and after is what the table judges at once."""
    count = before + guessing(daemon, account)()
    tally.note("given_back", f"{count} passwords of an account judged around a kill",
               count - most_judged(0, gatekeeper))


def guessing(daemon, device):
    """Wrong passcodes one after the other; how many were answered as judged."""
    def act():
        count = 0
        try:
            peer = daemon.connect()
            for number in range(FREE_GUESSES * 2):
                count += judged(peer.call(DEVICES + "Unlock", device=device, passcode=wrong(number)))
        except Gone:
            pass
        return count
    return act


def touching(daemon, device):
    """Missed fingers; how many were answered as judged."""
    def act():
        count = 0
        try:
            peer = daemon.connect()
            for _ in range(MISSES + 1):
                count += peer.evaluate(device, "miss,cancel", "biometrics")[1]
        except Gone:
            pass
        return count
    return act


def value(number):
    return base64.b64encode(f"{number} ".encode() * 900).decode()


def item(peer, device, verb, number):
    if verb == "Add":
        return peer.call(KEYCHAIN + "Add", device=device, query={**QUERY, "labl": str(number)},
                         data=value(number), allowSimulated=True)
    return peer.call(KEYCHAIN + "Update", device=device, query=QUERY, changes={"labl": str(number)},
                     data=value(number), allowSimulated=True)


def writing(daemon, desk):
    """New versions of the item; the desk notes which was acknowledged last, and which was sent."""
    def act():
        try:
            peer = daemon.connect()
            for number in range(desk.sent + 1, desk.sent + 200):
                desk.sent = number
                if item(peer, desk.name, "Update", number).get("answer", {}).get("status") != 0:
                    break
                desk.done = number
        except Gone:
            pass
    return act


def look(tally, daemon, desk, before, guesses, misses):
    """What was judged before the kill is counted after it."""
    state = daemon.connect().device(desk.name)
    counted, missed = counts(state)
    least = min(LAST_GUESS, before[0] + guesses)
    tally.note("given_back", f"{counted} counted where {least} were judged", least - counted)
    if state["biometry"] == "usable":
        tally.note("given_back", "a missed finger was forgotten", min(before[1] + misses, MISSES) - missed)


def owner_comes(tally, daemon, desk, chosen):
    """No wait is left: the right passcode opens, or after the last wrong one nothing does."""
    peer = daemon.connect()
    counted = wrong_so_far(peer.device(desk.name))
    if counted < LAST_GUESS and chosen.random() < 0.5:
        return
    reply = peer.call(DEVICES + "Unlock", device=desk.name, passcode=PASSCODE)
    if counted >= LAST_GUESS and "error" not in reply:
        tally.note("let_through", "a device that was locked for good opened after a kill")
    elif counted < LAST_GUESS and "error" in reply:
        tally.note("kept_out", f"after a kill the right passcode was refused: {reply}")
    elif counted < LAST_GUESS:
        expect_whole_item(tally, peer, desk)


def expect_whole_item(tally, peer, desk):
    """Label and data of one version, which is at least the one that was acknowledged."""
    answer = peer.call(KEYCHAIN + "Copy", device=desk.name, allowSimulated=True,
                       query={**QUERY, "r_Data": True, "r_Attributes": True})
    items = answer.get("answer", {}).get("items", [])
    if len(items) != 1:
        tally.note("kept_out", f"{len(items)} items after a kill: {answer}")
        return
    label = int(items[0]["attributes"]["labl"])
    if items[0]["data"] != value(label):
        tally.note("let_through", f"an item is half old and half new: label {label}")
    if not desk.done <= label <= desk.sent:
        tally.note("kept_out", f"version {label} of an item after a kill; {desk.done} was acknowledged, "
                               f"{desk.sent} sent")
