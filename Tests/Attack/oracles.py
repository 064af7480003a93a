"""Guesses at every method of a user's daemon that judges a secret, and at ways around the waiting."""

import os
import time

from peer import DEVICES, KEYCHAIN, SENSOR, judged
from place import ACCOUNT_PASSWORD, set_account_password
from rig import FREE_GUESSES, LAST_GUESS, Daemon, Tally, apple, create, gatekeeper, most_judged, wrong

NAME = "oracles"
PAM = {"pamService": "localauth", "pamDirectory": "/mnt/pam/services"}


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    guesses = max(15, int(300 * size))
    with Daemon(programs, os.path.join(work, "home"), ["--pam-confdir", "/mnt/pam/services"]) as daemon:
        for attack in (each_method, all_methods, clock_without_passcode, reboots, restarts, further_devices,
                       application_password, old_password_of_a_keybag):
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
    most = most_judged(time.monotonic() - began, table)
    tally.note("let_through", f"{what}: {count} of {guesses} wrong guesses judged, {most} allowed", count - most)
    return count


def each_method(tally, daemon, guesses):
    peer = daemon.connect()
    for number, name in enumerate(methods(peer, "")):
        device = f"each-{number}"
        create(peer, device)
        count = guess(tally, name, min(guesses, 15), methods(peer, device)[name])
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
    guess(tally, "AdvanceClock without the passcode", 15, methods(peer, "clock")["Unlock"],
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
    guess(tally, "a kill and a start after each", 15,
          lambda secret: methods(daemon.connect(), "restarts")["Unlock"](secret), restart)


def further_devices(tally, daemon, guesses):
    """More devices of the same PAM service: the account's password has one count."""
    peer = daemon.connect()
    set_account_password(ACCOUNT_PASSWORD)
    names = [f"pam-{number}" for number in range(8)]
    for name in names:
        create(peer, name, None, **PAM)
    turn = iter(range(guesses))
    guess(tally, "further devices of one account", min(guesses, 40), lambda secret: judged(
        peer.call(DEVICES + "Unlock", device=names[next(turn) % len(names)], passcode=secret)), table=gatekeeper)


def application_password(tally, daemon, guesses):
    peer = daemon.connect()
    create(peer, "application")
    query = {"class": "genp", "acct": "me", "svce": "application"}
    control = {"accessControl": {"protection": "ak", "flags": ["applicationPassword"]}}
    added = peer.call(KEYCHAIN + "Add", device="application", query={**query, "accc": control}, data="aHVudGVyMg==",
                      applicationPassword="the program's", allowSimulated=True)
    if added.get("answer", {}).get("status") != 0:
        raise RuntimeError(f"no item: {added}")

    def read(secret):
        reply = peer.call(KEYCHAIN + "Copy", device="application", query={**query, "r_Data": True},
                          applicationPassword=secret, allowSimulated=True)
        return reply.get("answer", {}).get("outcome") == "authenticationFailed"
    guess(tally, "an application password", guesses, read, table=gatekeeper)


def old_password_of_a_keybag(tally, daemon, guesses):
    """The account's password was changed elsewhere; who knows the new one guesses the old one."""
    peer = daemon.connect()
    set_account_password("before the change")
    create(peer, "keybag", None, **PAM)
    peer.call(DEVICES + "Unlock", device="keybag", passcode="before the change")
    set_account_password("after the change")
    guess(tally, "SetPasscode on a keybag of an older password", min(guesses, 60), lambda secret: judged(
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
