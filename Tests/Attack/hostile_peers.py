"""Malformed frames, floods, passed descriptors and slow clients; others are served and nothing is charged."""

import array
import contextlib
import json
import os
import random
import socket
import threading
import time

from peer import AUTHENTICATION, DEVICES, Gone, Peer
from rig import PASSCODE, Daemon, Tally, create, wrong_so_far

NAME = "hostile peers"
# How long an honest client may wait while others misbehave.
PATIENCE = 5
# How long after a lock the keys of a device are set aside, and a little.
TIMERS = 11
# Of each of the database's three files one descriptor for writing and one for each of the four idle readers.
MOST_OF_DATABASE = 3 * 5
MALFORMED = [
    b"", b"\0", b"null", b"[]", b"1", b'"x"', b"{", b"{}", b'{"method":1}', b'{"method":""}', b'{"method":"a"}',
    b'{"method":"org.varlink.service.GetInfo","parameters":[]}', b'{"method":"x.y","method":"x.y"}',
    b'{"method":"org.varlink.service.GetInfo","more":1}', b'\xff\xfe{"method":"a.b"}', b'{"method":"a\\u0000b.c"}',
    b'{"method":"' + b"x" * 70000 + b'"}', b"[" * 5000, b'{"a":' * 5000, b" " * 300000, b"{" + b'"a":1,' * 40000,
    b'{"method":"io.localauth.Devices.Status","parameters":{"device":"../../etc/passwd"}}',
    b'{"method":"io.localauth.Devices.Status","parameters":{"device":"sim","user":-1}}',
    b'{"method":"io.localauth.Devices.Status","parameters":{"device":"sim","user":4294967296}}',
    b'{"method":"io.localauth.Devices.AdvanceClock","parameters":{"milliseconds":1e308}}',
    b'{"method":"io.localauth.Devices.AdvanceClock","parameters":{"device":"sim","milliseconds":9223372036854775807}}',
    b'{"method":"io.localauth.Authentication.Respond","parameters":{"nonce":"","passcode":"","action":"cancel"}}',
    b'{"method":"io.localauth.Authentication.Evaluate","parameters":{"policy":"\xed\xa0\x80","reason":"x"}}',
]


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    chosen = random.Random(seed)
    with Daemon(programs, os.path.join(work, "home"), ["--partial-frame-limit", "2"]) as daemon:
        create(daemon.connect())
        before = descriptors(daemon)
        began = deleted_soon_after_a_lock(tally, daemon)
        for attack, times in ((malformed, 1), (mutated, 1500), (passed_descriptors, 1000), (slow, 300), (flood, 30),
                              (deaf, 20), (vanishing, 200)):
            try:
                attack(tally, daemon, chosen, max(1, int(times * size)))
            except Gone as error:
                tally.note("kept_out", f"{attack.__name__}: {error}")
            expect_service(tally, daemon, attack.__name__)
        time.sleep(max(0, began + TIMERS - time.monotonic()))
        expect_service(tally, daemon, "timers of deleted devices")
        expect_no_leak(tally, daemon, before)
    return tally


def deleted_soon_after_a_lock(tally, daemon):
    """What a lock would do to the device's keys after ten seconds has nothing to do it to; when that was."""
    peer = daemon.connect()
    for number in range(8):
        tally.tries += 1
        create(peer, f"deleted-{number}")
        peer.call(DEVICES + "Lock", device=f"deleted-{number}")
        peer.call(DEVICES + "Delete", device=f"deleted-{number}", passcode=PASSCODE)
    return time.monotonic()


def expect_service(tally, daemon, what):
    """An honest client is served in time, and no attempt was charged."""
    began = time.monotonic()
    try:
        device = Peer(daemon.socket, timeout=60).device()
        tally.note("let_through", f"{what}: {device}", wrong_so_far(device) + 3 - device["attemptsLeft"])
    except Gone as error:
        if daemon.has_crashed:
            tally.note("crashes", f"{what}: {daemon.errors()}")
            daemon.start()
        else:
            tally.note("kept_out", f"{what}: {error}")
    waited = time.monotonic() - began
    if waited > PATIENCE:
        tally.note("kept_out", f"{what}: an honest client waited for {waited:.1f} s")


def descriptors(daemon):
    """What the daemon has open, by number."""
    directory = f"/proc/{daemon.process.pid}/fd"
    found = {}
    for number in os.listdir(directory):
        # One that is closed meanwhile is no leak.
        with contextlib.suppress(FileNotFoundError):
            found[number] = os.readlink(os.path.join(directory, number))
    return found


def expect_no_leak(tally, daemon, before):
    limit = time.monotonic() + 15
    while leaked(daemon, before) and time.monotonic() < limit:
        time.sleep(0.1)
    stayed = leaked(daemon, before)
    tally.note("crashes", f"descriptors stayed open in the daemon: {', '.join(stayed)}", len(stayed))


def leaked(daemon, before):
    """What is open besides what was, the one connection and the few that read the database, which are kept."""
    now = descriptors(daemon)
    database = [what for what in now.values() if "state.sqlite" in what]
    others = sorted(what for number, what in now.items() if before.get(number) != what and what not in database)
    return others[1:] + database[MOST_OF_DATABASE:]


def throw(daemon, data):
    """Sends it and reads what comes until the daemon closes or is silent; the last thing it said."""
    peer = Peer(daemon.socket, timeout=0.05)
    try:
        peer.socket.sendall(data)
        peer.socket.shutdown(socket.SHUT_WR)
        while True:
            peer.receive()
    except (Gone, OSError, ValueError):
        peer.close()


def malformed(tally, daemon, chosen, times):
    for frame in MALFORMED:
        for end in (b"\0", b"", b"\0" * 100):
            tally.tries += 1
            throw(daemon, frame + end)


def valid():
    calls = [(DEVICES + "Status", {"device": "sim"}), (DEVICES + "List", {}), (DEVICES + "Audit", {"limit": 3}),
             (AUTHENTICATION + "CanEvaluate", {"policy": "device-owner", "device": "sim"}),
             (AUTHENTICATION + "Respond", {"nonce": "0" * 32, "action": "cancel"}),
             ("io.localauth.Keychain.Copy", {"query": {"class": "genp", "acct": "x"}, "device": "sim"})]
    return [json.dumps({"method": method, "parameters": parameters}).encode() for method, parameters in calls]


def mutated(tally, daemon, chosen, times):
    """Valid calls with bytes changed, doubled, cut or moved."""
    for _ in range(times):
        tally.tries += 1
        frame = bytearray(chosen.choice(valid()))
        for _ in range(chosen.randrange(1, 6)):
            place = chosen.randrange(len(frame))
            act = chosen.randrange(4)
            if act == 0:
                frame[place] = chosen.randrange(256)
            elif act == 1:
                frame[place:place] = frame[:chosen.randrange(len(frame))]
            elif act == 2:
                del frame[place:place + chosen.randrange(1, 9)]
            else:
                frame[place:place] = chosen.choice([b"{", b"[", b'"', b"\\u0000", b"1e999", b"-", b"\xc3\x28"])
            if not frame:
                frame = bytearray(b"{")
        throw(daemon, bytes(frame) + b"\0")


def passed_descriptors(tally, daemon, chosen, times):
    """Descriptors that nobody asked for, a hundred a message."""
    with open("/dev/null", "rb") as null:
        for _ in range(times // 50 + 1):
            peer = daemon.connect()
            for _ in range(10):
                tally.tries += 1
                try:
                    peer.socket.sendmsg([valid()[0] + b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                                              array.array("i", [null.fileno()] * 100))])
                except OSError:
                    break
            peer.close()


def slow(tally, daemon, chosen, times):
    """A byte now and none after; all of them at the same time while an honest client asks."""
    peers = []
    for _ in range(times):
        tally.tries += 1
        peer = daemon.connect()
        peer.socket.sendall(b'{"method":')
        peers.append(peer)
    expect_service(tally, daemon, "slow, while they wait")
    limit = time.monotonic() + 10
    closed = 0
    for peer in peers:
        peer.socket.settimeout(max(0.1, limit - time.monotonic()))
        try:
            closed += peer.socket.recv(1) == b""
        except OSError:
            pass
        peer.close()
    tally.note("kept_out", "slow clients were not closed", times - closed)


def flood(tally, daemon, chosen, times):
    """Calls by the thousand on many connections, none of whose answers is waited for."""
    def pour():
        try:
            peer = daemon.connect()
            peer.socket.settimeout(2)
            for _ in range(10):
                peer.socket.sendall((valid()[0] + b"\0") * 100)
        except (Gone, OSError):
            pass
    threads = [threading.Thread(target=pour) for _ in range(times)]
    for thread in threads:
        thread.start()
    expect_service(tally, daemon, "a flood, while it pours")
    for thread in threads:
        thread.join()
    tally.tries += times * 1000


def deaf(tally, daemon, chosen, times):
    """Asks for much and reads nothing."""
    for _ in range(times):
        tally.tries += 1
        peer = Peer(daemon.socket, timeout=0.2)
        try:
            while True:
                peer.socket.sendall(b'{"method":"org.varlink.service.GetInterfaceDescription","parameters":'
                                    b'{"interface":"io.localauth.Devices"}}\0')
        except OSError:
            peer.close()


def vanishing(tally, daemon, chosen, times):
    """Begins an evaluation and goes; nothing that was not offered is charged."""
    for _ in range(times):
        tally.tries += 1
        peer = daemon.connect()
        peer.send(AUTHENTICATION + "Evaluate", more=True, policy=chosen.choice(["biometrics", "device-owner"]),
                  reason="x", device="sim", allowSimulated=True)
        if chosen.random() < 0.5:
            peer.receive()
        peer.close()
