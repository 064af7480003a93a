"""Guesses at an account's password through the service of the system, which one person's tools could make."""

import time

from peer import AUTHENTICATION, DEVICES, SENSOR, in_process, judged, Peer
from place import ACCOUNT_PASSWORD, ALICE, set_account_password
from rig import PASSCODE, Tally, apple, gatekeeper, most_judged, wrong
from service import Service

NAME = "system oracles"
PAM = {"pamService": "localauth", "pamDirectory": "/mnt/pam/services"}
DEVICES_MOST = 200
DAY = 24 * 3600 * 1000


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    set_account_password(ACCOUNT_PASSWORD)
    guesses = max(24, int(120 * size))
    for number, attack in enumerate((account_by_every_method, simulated_device_with_its_clock, further_devices,
                                     own_devices)):
        # A service for each, since what one attack used up would stop the next one.
        with Service(programs, f"{work}/{number}") as service:
            began = time.monotonic()
            what, count, table = in_process(attack, service.socket, guesses, user=ALICE)
            tally.tries += guesses
            tally.count(f"guesses: {what}", guesses)
            most = most_judged(time.monotonic() - began, {"apple": apple, "gatekeeper": gatekeeper}[table])
            tally.note("let_through", f"{what}: {count} of {guesses} judged, {most} allowed", count - most)
            owner_gets_in_after_the_wait(tally, service, what)
            if service.has_crashed():
                tally.note("crashes", f"{what}: {service.errors()}")
    return tally


def account_by_every_method(path, guesses):
    """The account's own device, asked in each way there is."""
    peer = Peer(path)
    ways = [
        lambda secret: judged(peer.call(DEVICES + "Unlock", passcode=secret)),
        lambda secret: judged(peer.call(DEVICES + "SetLockout", lockout="apple", passcode=secret)),
        lambda secret: judged(peer.call(DEVICES + "SetPasscode", new=secret, passcode=secret)),
        lambda secret: judged(peer.call(SENSOR + "Enroll", finger="left-thumb", passcode=secret)),
        lambda secret: asked(path, secret),
    ]
    count = sum(way(wrong(number)) for number in range(guesses) for way in ways)
    return "each of five methods on the account's own device", count, "gatekeeper"


def asked(path, secret):
    """An evaluation whose prompt is answered; how many attempts were judged."""
    asking, answering = Peer(path), Peer(path)
    asking.send(AUTHENTICATION + "Evaluate", more=True, policy="passcode", reason="an attack")
    while True:
        reply = asking.result(asking.receive())
        prompt = reply.get("prompt")
        if prompt and prompt.get("passcodePrompt"):
            answering.call(AUTHENTICATION + "Respond", nonce=prompt["nonce"], passcode=secret)
        elif reply.get("notice", {}).get("kind") == "miss":
            asking.close()
            return 1
        elif "result" in reply or "error" in reply:
            return reply.get("result", {}).get("attempts", 0)


def simulated_device_with_its_clock(path, guesses):
    """A simulated device whose passcode is the account's, and whose clock its owner moves."""
    peer = Peer(path)
    peer.call(DEVICES + "Create", device="sim", **PAM)
    count = 0
    for number in range(guesses):
        count += judged(peer.call(DEVICES + "Unlock", device="sim", passcode=wrong(number)))
        peer.call(DEVICES + "AdvanceClock", device="sim", milliseconds=DAY)
    return "a simulated device with the account's password and a clock", count, "gatekeeper"


def further_devices(path, guesses):
    """Devices by the dozen that all ask for the account's password."""
    peer = Peer(path)
    count = 0
    for number in range(guesses):
        # The number of a user's devices is limited.
        name = f"sim-{number // 5 % DEVICES_MOST}"
        if number < 5 * DEVICES_MOST and number % 5 == 0:
            peer.call(DEVICES + "Create", device=name, **PAM)
        count += judged(peer.call(DEVICES + "Unlock", device=name, passcode=wrong(number)))
    return "further devices with the account's password", count, "gatekeeper"


def own_devices(path, guesses):
    """The clock of a simulated device with a passcode of its own, moved without that passcode."""
    peer = Peer(path)
    peer.call(DEVICES + "Create", device="own", passcode=PASSCODE)
    count = 0
    for number in range(guesses):
        count += judged(peer.call(DEVICES + "Unlock", device="own", passcode=wrong(number)))
        peer.call(DEVICES + "AdvanceClock", device="own", milliseconds=DAY)
    return "a simulated device's own passcode and its clock", count, "apple"


def owner_gets_in_after_the_wait(tally, service, what):
    """What is allowed is allowed: where the account's device does not refuse, its password opens it."""
    peer = service.connect()
    device = peer.device("default", user=ALICE)
    if device["passcodeState"] == "usable":
        reply = peer.call(DEVICES + "Unlock", passcode=ACCOUNT_PASSWORD, user=ALICE)
        if "error" in reply:
            tally.note("kept_out", f"{what}: afterwards the account's own password: {reply}")
