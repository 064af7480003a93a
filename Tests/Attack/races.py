"""Many clients at once: never one attempt more is judged than the table and the profile allow."""

import os
import random

from foreign_users import CALLS
from peer import AUTHENTICATION, DEVICES, KEYCHAIN, SENSOR, Gone, judged
from rig import FREE_GUESSES, LAST_GUESS, PASSCODE, Daemon, Tally, at_once, create, wrong, wrong_so_far

NAME = "races"
CLIENTS = 32
MISSES = 3
# The most of it that one process does: what is more goes to further ones, side by side.
PART = 1.25


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    chosen = random.Random(seed)
    with Daemon(programs, os.path.join(work, "home")) as daemon:
        try:
            for number in range(max(2, int(56 * size))):
                round_of_races(tally, daemon, number, chosen)
        except Gone as error:
            tally.note("crashes", f"{error}; the daemon has ended: {daemon.has_crashed}, {daemon.errors()}")
    return tally


def round_of_races(tally, daemon, number, chosen):
    """Two dozen races, most of them for the last attempt that is left."""
    race_of_passcodes(tally, daemon, f"passcodes-{number}", chosen)
    for again in range(8):
        race_of_fingers(tally, daemon, f"fingers-{number}-{again}", chosen)
    race_for_an_item(tally, daemon, f"items-{number}", chosen)
    races_with_the_clock(tally, daemon, f"clock-{number}", chosen)
    race_with_the_end(tally, daemon, f"end-{number}", chosen)
    race_of_everything(tally, daemon, f"all-{number}", chosen)


def race(tally, actions):
    tally.count("races")
    return at_once(actions)


def forget(peer, device):
    """The number of devices is limited, so nothing is left behind."""
    for verb in ("Erase", "Delete"):
        peer.call(DEVICES + verb, device=device)


def call(daemon, method, **parameters):
    return lambda: daemon.connect().call(method, **parameters)


def evaluation(daemon, device, script, policy="passcode"):
    return lambda: daemon.connect().evaluate(device, script, policy)


def audited(peer, device):
    """Attempts that the audit says were judged."""
    return sum(line["attempts"] for line in peer.audit(device))


def wrong_passcodes(daemon, device, chosen):
    """Every way to offer a passcode, all wrong, and things that could disturb the count."""
    guesses = []
    for number in range(CLIENTS):
        secret = wrong(number)
        guesses.append(chosen.choice([
            call(daemon, DEVICES + "Unlock", device=device, passcode=secret),
            call(daemon, DEVICES + "SetPasscode", device=device, new=secret, passcode=secret),
            call(daemon, DEVICES + "RemovePasscode", device=device, passcode=secret),
            call(daemon, DEVICES + "Delete", device=device, passcode=secret),
            call(daemon, SENSOR + "Remove", device=device, passcode=secret),
            evaluation(daemon, device, f"passcode:{secret},cancel"),
            evaluation(daemon, device, f"fallback,passcode:{secret},cancel", "device-owner"),
        ]))
    return guesses + [call(daemon, DEVICES + verb, device=device) for verb in ("Lock", "Status")]


def count_judged(answers):
    return sum(answer[1] if isinstance(answer, (list, tuple)) else judged(answer or {})
               for answer in answers[:CLIENTS])


def race_of_passcodes(tally, daemon, device, chosen):
    """All that the table judges at once, and no more."""
    peer = daemon.connect()
    create(peer, device)
    before = audited(peer, device)
    reboot = call(daemon, DEVICES + "Reboot", device=device)
    count = count_judged(race(tally, wrong_passcodes(daemon, device, chosen) + [reboot]))
    tally.tries += CLIENTS
    state = peer.device(device)
    tally.note("let_through", f"{count} passcodes were judged at once", count - FREE_GUESSES)
    tally.note("let_through", "the audit has more than was allowed", audited(peer, device) - before - FREE_GUESSES)
    tally.note("given_back", "fewer are counted than were judged", count - wrong_so_far(state))
    forget(peer, device)


def race_of_fingers(tally, daemon, device, chosen):
    """Misses and cancels of many evaluations; the profile locks after three."""
    peer = daemon.connect()
    create(peer, device, chosen.choice([PASSCODE, None, None, None]))
    scripts = ["miss,cancel", "miss,miss,cancel", "miss,miss,miss", "cancel", "retry:too-fast,miss,cancel"]
    races = [evaluation(daemon, device, chosen.choice(scripts), "biometrics") for _ in range(CLIENTS)]
    races += [call(daemon, SENSOR + "Touch", device=device, finger="left-thumb") for _ in range(8)]
    races += [call(daemon, DEVICES + "Reboot", device=device)]
    answers = race(tally, races)[:CLIENTS]
    tally.tries += CLIENTS
    count = sum(answer[1] for answer in answers if answer)
    left = peer.device(device).get("attemptsLeft", 0)
    tally.note("let_through", f"{count} fingers were judged at once", count - MISSES)
    tally.note("given_back", "fewer misses are counted than were judged", min(count, MISSES) - (MISSES - left))
    forget(peer, device)


def race_for_an_item(tally, daemon, device, chosen):
    """Reads of a guarded item with wrong fingers and passcodes: nobody gets its data."""
    peer = daemon.connect()
    create(peer, device)
    query = {"class": "genp", "acct": "me", "svce": "race"}
    control = {"accessControl": {"protection": "ak", "flags": ["userPresence"]}}
    added = peer.call(KEYCHAIN + "Add", device=device, query={**query, "accc": control}, data="aHVudGVyMg==",
                      allowSimulated=True)
    if added.get("answer", {}).get("status") != 0:
        raise RuntimeError(f"no item: {added}")
    scripts = ["miss,cancel", "fallback,passcode:nope,cancel", "cancel", "miss,fallback,passcode:no,cancel"]

    def read(script):
        return lambda: daemon.connect().stream(
            KEYCHAIN + "Copy", device=device, query={**query, "r_Data": True}, script=script,
            scriptIsArgument=False, allowSimulated=True)[-1]

    answers = race(tally, [read(chosen.choice(scripts)) for _ in range(CLIENTS)]
                   + [call(daemon, AUTHENTICATION + "CanEvaluate", policy="device-owner", device=device)])
    tally.tries += CLIENTS
    for answer in answers[:CLIENTS]:
        if any("data" in item for item in ((answer or {}).get("answer") or {}).get("items", [])):
            tally.note("let_through", "an item was read without a proof")
    evaluations = [((answer or {}).get("answer") or {}).get("evaluation") or {} for answer in answers[:CLIENTS]]
    judged_in_all = sum(evaluation.get("attempts", 0) for evaluation in evaluations)
    most = MISSES + FREE_GUESSES
    tally.note("let_through", f"{judged_in_all} attempts were judged for an item", judged_in_all - most)
    forget(peer, device)


def race_with_the_end(tally, daemon, device, chosen):
    """A device that is deleted while everything else happens on it; what is left over must not go off."""
    peer = daemon.connect()
    create(peer, device)
    acts = [evaluation(daemon, device, "sleep:1,match", "biometrics"), evaluation(daemon, device, "miss,cancel"),
            call(daemon, SENSOR + "Touch", device=device, finger="left-thumb", wait=True, timeoutMilliseconds=2000),
            call(daemon, SENSOR + "Enroll", device=device, finger="left-thumb", passcode=PASSCODE),
            call(daemon, DEVICES + "Unlock", device=device, passcode=PASSCODE),
            call(daemon, DEVICES + "Lock", device=device), call(daemon, DEVICES + "Reboot", device=device),
            call(daemon, DEVICES + "AdvanceClock", device=device, milliseconds=9000, passcode=PASSCODE),
            call(daemon, DEVICES + "Delete", device=device, passcode=PASSCODE)]
    chosen.shuffle(acts)
    race(tally, acts)
    tally.tries += len(acts)
    if peer.device(device) is not None:
        peer.call(DEVICES + "Delete", device=device, passcode=PASSCODE)


def race_of_everything(tally, daemon, device, chosen):
    """Every method there is, with right parameters, by clients some of whom leave before the answer."""
    peer = daemon.connect()
    create(peer, device)

    def act(method, parameters, leaves):
        named = {**parameters, **({"device": device} if "device" in parameters else {})}

        def run():
            client = daemon.connect()
            if leaves:
                client.send(method, more=True, **named)
                return client.close()
            return client.stream(method, **named)
        return run
    # Its own user may end the daemon, which would end the race; and whoever watches gets no last answer.
    calls = [(method, parameters) for method, parameters in CALLS.items() if not method.endswith((".Daemon.Stop", ".Watch"))]
    methods = [chosen.choice(calls) for _ in range(2 * CLIENTS)]
    race(tally, [act(method, parameters, chosen.random() < 0.3) for method, parameters in methods])
    tally.tries += len(methods)
    for name in (device, "made"):
        peer.call(DEVICES + "Delete", device=name, passcode=PASSCODE)


def races_with_the_clock(tally, daemon, device, chosen):
    """After the free ones a race on each day whose wait is over: it lets one through, and the tenth is the last."""
    peer = daemon.connect()
    create(peer, device)
    counted = 0
    while counted < LAST_GUESS:
        allowed = max(1, FREE_GUESSES - counted)
        count = count_judged(race(tally, wrong_passcodes(daemon, device, chosen)))
        tally.tries += CLIENTS
        # What a lock cut off in the middle was counted and not judged.
        spent = wrong_so_far(daemon.connect().device(device)) - counted
        counted += spent
        tally.note("let_through", f"{count} passcodes were judged on a day", count - allowed)
        tally.note("given_back", "fewer are counted than were judged", count - spent)
        if spent == 0:
            tally.note("kept_out", "no passcode was judged on a day without a wait")
            break
        peer = daemon.start_next_day()
    reply = peer.call(DEVICES + "Unlock", device=device, passcode=PASSCODE)
    if counted >= LAST_GUESS and "error" not in reply:
        tally.note("let_through", "the right passcode opened after the last wrong one")
    forget(peer, device)
