"""kill -9 of the daemon under load: what was judged stays counted, and an item is wholly old or new."""

import base64
import os
import random
import threading
import time

from peer import DEVICES, KEYCHAIN, Gone, judged
from rig import (FREE_GUESSES, LAST_GUESS, PASSCODE, Daemon, Tally, at_once, create, gatekeeper, most_judged,
                 wrong, wrong_so_far)

NAME = "kills"
MISSES = 3
QUERY = {"class": "genp", "acct": "me", "svce": "kill"}


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    chosen = random.Random(seed)
    daemon = Daemon(programs, os.path.join(work, "home"), ["--pam-confdir", "/mnt/pam/services"])
    for number in range(max(8, int(150 * size))):
        kill_once(tally, daemon, f"sim-{number}", chosen)
    return tally


def kill_once(tally, daemon, device, chosen):
    if not daemon.start():
        tally.note("crashes", f"no start after a kill: {daemon.errors()}")
        return
    peer = daemon.connect()
    create(peer, device)
    item(peer, device, "Add", 0)
    earlier = chosen.randrange(0, LAST_GUESS)
    for count in range(earlier):
        peer.call(DEVICES + "Unlock", device=device, passcode=wrong(count))
        if count + 1 >= FREE_GUESSES:
            peer = daemon.start_next_day()
    before = wrong_so_far(peer.device(device))
    account = "pam-" + device
    create(peer, account, None, pamService="localauth", pamDirectory="/mnt/pam/services")
    load = [guessing(daemon, device), guessing(daemon, device), touching(daemon, device), writing(daemon, device),
            guessing(daemon, account)]
    killer = threading.Thread(target=lambda: (time.sleep(chosen.uniform(0, 0.35)), daemon.kill()))
    killer.start()
    answers = at_once(load)
    killer.join()
    tally.tries += 1
    if look(tally, daemon, device, before, sum(answers[:2]), answers[2], answers[3]):
        expect_same_account(tally, daemon, account, answers[4])
        daemon.kill()


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


def writing(daemon, device):
    """New versions of the item; the last one that was acknowledged, and the last that was sent."""
    def act():
        done, sent = 0, 0
        try:
            peer = daemon.connect()
            for number in range(1, 200):
                sent = number
                if item(peer, device, "Update", number).get("answer", {}).get("status") != 0:
                    break
                done = number
        except Gone:
            pass
        return done, sent
    return act


def look(tally, daemon, device, before, guesses, misses, versions):
    if not daemon.start():
        tally.note("crashes", f"no start after a kill: {daemon.errors()}")
        return False
    with_peer = daemon.connect()
    state = with_peer.device(device)
    counted = wrong_so_far(state)
    least = min(LAST_GUESS, before + guesses)
    tally.note("given_back", f"{counted} counted where {least} were judged", least - counted)
    left = state.get("attemptsLeft", 0)
    if state["biometry"] == "usable":
        tally.note("given_back", "a missed finger was forgotten", min(misses, MISSES) - (MISSES - left))
    reply = with_peer.call(DEVICES + "Unlock", device=device, passcode=PASSCODE)
    if state.get("passcodeState") == "usable":
        if "error" in reply:
            tally.note("kept_out", f"after a kill the right passcode was refused: {reply}")
        else:
            expect_whole_item(tally, with_peer, device, versions)
    elif counted >= LAST_GUESS and "error" not in reply:
        tally.note("let_through", "a device that was locked for good opened after a kill")
    return True


def expect_whole_item(tally, peer, device, versions):
    """Label and data of one version, which is at least the one that was acknowledged."""
    done, sent = versions
    answer = peer.call(KEYCHAIN + "Copy", device=device, allowSimulated=True,
                       query={**QUERY, "r_Data": True, "r_Attributes": True})
    items = answer.get("answer", {}).get("items", [])
    if len(items) != 1:
        tally.note("kept_out", f"{len(items)} items after a kill: {answer}")
        return
    label = int(items[0]["attributes"]["labl"])
    if items[0]["data"] != value(label):
        tally.note("let_through", f"an item is half old and half new: label {label}")
    if not done <= label <= sent:
        tally.note("kept_out", f"version {label} of an item after a kill; {done} was acknowledged, {sent} sent")
