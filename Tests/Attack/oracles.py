"""Guesses at every method of a user's daemon that judges a secret, and at ways around the waiting."""

import os
import time

from peer import DEVICES, KEYCHAIN, SENSOR, judged
from place import ACCOUNT_PASSWORD, set_account_password
from rig import FREE_GUESSES, LAST_GUESS, Daemon, Tally, apple, create, gatekeeper, most_judged, wrong

NAME = "oracles"
PAM = {"pamService": "localauth", "pamDirectory": "/mnt/pam/services"}
# What is refused before anything is judged, and has to stay so.
REFUSED = {"insert:FINGER"}


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    guesses = max(15, int(300 * size))
    with Daemon(programs, os.path.join(work, "home"), ["--pam-confdir", "/mnt/pam/services"]) as daemon:
        for attack in (each_method, all_methods, clock_without_passcode, reboots, restarts, further_devices,
                       passcode_of_an_item, application_password, old_password_of_a_keybag):
            attack(tally, daemon, guesses)
        if daemon.has_crashed:
            tally.note("crashes", f"the daemon: {daemon.errors()}")
    time_namespace(tally, programs, os.path.join(work, "shifted"), guesses)
    return tally


def methods(peer, device):
    """Whatever says right or wrong about a device's passcode; each gives whether it judged."""
    def call(method, **more):
        return lambda secret: judged(peer.call(method, device=device, passcode=secret, **more))
    return {
        "Unlock": call(DEVICES + "Unlock"),
        "SetPasscode": call(DEVICES + "SetPasscode", new="1" * 8),
        "RemovePasscode": call(DEVICES + "RemovePasscode"),
        "Delete": call(DEVICES + "Delete"),
        "SetLockout": call(DEVICES + "SetLockout", lockout="apple"),
        "AdvanceClock": call(DEVICES + "AdvanceClock", milliseconds=1),
        "Sensor.Enroll": call(SENSOR + "Enroll", finger="left-thumb"),
        "Sensor.Remove": call(SENSOR + "Remove"),
        "Evaluate": lambda secret: peer.evaluate(device, f"passcode:{secret},cancel")[1],
        "insert:FINGER": lambda secret: peer.evaluate(
            device, f"insert:left-thumb,passcode:{secret},cancel", "device-owner")[1],
    }


def guess(tally, what, guesses, act, between=None, table=apple):
    """So many wrong guesses; what the table allows in the time they took is all that may be judged."""
    began, count = time.monotonic(), 0
    for number in range(guesses):
        count += act(wrong(number))
        if between:
            between()
    tally.tries += guesses
    tally.count(f"guesses: {what}", guesses)
    most = most_judged(time.monotonic() - began, table)
    tally.note("let_through", f"{what}: {count} of {guesses} wrong guesses judged, {most} allowed", count - most)
    if what not in REFUSED:
        tally.note("kept_out", f"{what}: not one guess was judged, so this was no attack", count == 0)
    return count


def each_method(tally, daemon, guesses):
    peer = daemon.connect()
    for number, name in enumerate(methods(peer, "")):
        device = f"each-{number}"
        create(peer, device)
        count = guess(tally, name, guesses, methods(peer, device)[name])
        left = peer.device(device).get("passcodeAttemptsLeft", 0)
        tally.note("given_back", f"{name}: judged and not counted", count - (LAST_GUESS - left))


def all_methods(tally, daemon, guesses):
    """One after the other, so that a count that one of them keeps for itself shows."""
    peer = daemon.connect()
    create(peer, "all")
    acts = list(methods(peer, "all").values())
    turn = iter(range(guesses))
    guess(tally, "all methods in turn", guesses, lambda secret: acts[next(turn) % len(acts)](secret))


def clock_without_passcode(tally, daemon, guesses):
    peer = daemon.connect()
    create(peer, "clock")
    guess(tally, "AdvanceClock without the passcode", guesses, methods(peer, "clock")["Unlock"],
          lambda: peer.call(DEVICES + "AdvanceClock", device="clock", milliseconds=24 * 3600 * 1000))


def reboots(tally, daemon, guesses):
    peer = daemon.connect()
    create(peer, "reboots")
    guess(tally, "a reboot after each", guesses, methods(peer, "reboots")["Unlock"],
          lambda: peer.call(DEVICES + "Reboot", device="reboots"))


def restarts(tally, daemon, guesses):
    create(daemon.connect(), "restarts")

    def restart():
        daemon.kill()
        daemon.start()
    guess(tally, "a kill and a start after each", guesses,
          lambda secret: methods(daemon.connect(), "restarts")["Unlock"](secret), restart)


def further_devices(tally, daemon, guesses):
    """More devices of the same PAM service: the account's password has one count."""
    peer = daemon.connect()
    set_account_password(ACCOUNT_PASSWORD)
    names = [f"pam-{number}" for number in range(8)]
    for name in names:
        create(peer, name, None, **PAM)
    turn = iter(range(guesses))
    guess(tally, "further devices of one account", guesses, lambda secret: judged(
        peer.call(DEVICES + "Unlock", device=names[next(turn) % len(names)], passcode=secret)), table=gatekeeper)


def guarded_item(peer, device, flag, **more):
    """Adds an item that takes such a proof; the query that finds it."""
    query = {"class": "genp", "acct": "me", "svce": flag}
    control = {"accessControl": {"protection": "ak", "flags": [flag]}}
    added = peer.call(KEYCHAIN + "Add", device=device, query={**query, "accc": control}, data="aHVudGVyMg==",
                      allowSimulated=True, **more)
    if added.get("answer", {}).get("status") != 0:
        raise RuntimeError(f"no item: {added}")
    return query


def passcode_of_an_item(tally, daemon, guesses):
    """An item that takes the device's passcode, read with a wrong one each time."""
    peer = daemon.connect()
    create(peer, "item")
    query = guarded_item(peer, "item", "devicePasscode")

    def read(secret):
        last = peer.stream(KEYCHAIN + "Copy", device="item", query={**query, "r_Data": True}, allowSimulated=True,
                           script=f"passcode:{secret},cancel", scriptIsArgument=False)[-1]
        answer = last.get("answer") or {}
        tally.note("let_through", "an item was read without a proof", sum("data" in i for i in answer.get("items", [])))
        return (answer.get("evaluation") or {}).get("attempts", 0)
    count = guess(tally, "the passcode of an item", guesses, read)
    left = peer.device("item").get("passcodeAttemptsLeft", 0)
    tally.note("given_back", "the passcode of an item: judged and not counted", count - (LAST_GUESS - left))


def application_password(tally, daemon, guesses):
    peer = daemon.connect()
    create(peer, "application")
    query = guarded_item(peer, "application", "applicationPassword", applicationPassword="the program's")

    def read(secret):
        reply = peer.call(KEYCHAIN + "Copy", device="application", query={**query, "r_Data": True},
                          applicationPassword=secret, allowSimulated=True)
        return reply.get("answer", {}).get("outcome") == "authenticationFailed"
    guess(tally, "an application password", guesses, read, table=gatekeeper)


def old_password_of_a_keybag(tally, daemon, guesses):
    """The account's password was changed elsewhere; who knows the new one guesses the old one."""
    # What was guessed before must not make the owner wait here.
    peer = daemon.start_next_day()
    set_account_password("before the change")
    create(peer, "keybag", None, **PAM)
    peer.call(DEVICES + "Unlock", device="keybag", passcode="before the change")
    set_account_password("after the change")
    guess(tally, "SetPasscode on a keybag of an older password", guesses, lambda secret: judged(
        peer.call(DEVICES + "SetPasscode", device="keybag", new="after the change", passcode=secret)),
          table=gatekeeper)


def time_namespace(tally, programs, home, guesses):
    """A daemon of one's own in a time namespace: its user can do that, and reads the state anyway."""
    count = 0
    for days in range(LAST_GUESS + 2):
        with Daemon(programs, home, days=days) as daemon:
            peer = daemon.connect()
            if days == 0:
                create(peer)
            for number in range(FREE_GUESSES):
                tally.tries += 1
                count += methods(peer, "sim")["Unlock"](wrong(number))
    tally.note("let_through", f"{count} judged in all by a daemon in a time namespace", count - LAST_GUESS)
    if count > FREE_GUESSES:
        tally.findings.append(f"a time namespace around a user's own daemon skips waits: {count} judged at once, "
                              "and then locked for good")
