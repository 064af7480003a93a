"""Another user of the machine: names somebody else, answers their prompts, and uses up their attempts."""

import os

from peer import AUTHENTICATION, DEVICES, KEYCHAIN, SENSOR, Gone, Peer, in_process
from place import ALICE, BOB
from rig import PASSCODE, Daemon, Tally, create, wrong, wrong_so_far
from service import Service

NAME = "foreign users"
HUB = {"host": "/nowhere", "database": "hub"}
CODE = "0000-0000-0000-0000-0000-0000-00"
CALLS = {
    DEVICES + "List": {}, DEVICES + "Status": {"device": "sim"}, DEVICES + "Create": {"device": "made"},
    DEVICES + "Delete": {"device": "sim", "passcode": PASSCODE}, DEVICES + "Erase": {"device": "sim"},
    DEVICES + "Lock": {"device": "sim"}, DEVICES + "Unlock": {"device": "sim", "passcode": PASSCODE},
    DEVICES + "Reboot": {"device": "sim"}, DEVICES + "AdvanceClock": {"device": "sim", "milliseconds": 1},
    DEVICES + "SetPasscode": {"device": "sim", "new": "1", "passcode": PASSCODE},
    DEVICES + "RemovePasscode": {"device": "sim", "passcode": PASSCODE},
    DEVICES + "SetLockout": {"device": "sim", "lockout": "apple", "passcode": PASSCODE},
    DEVICES + "Audit": {"device": "sim"}, DEVICES + "VerifyAudit": {},
    SENSOR + "Enroll": {"device": "sim", "finger": "left-thumb", "passcode": PASSCODE},
    SENSOR + "Remove": {"device": "sim", "passcode": PASSCODE}, SENSOR + "List": {"device": "sim"},
    SENSOR + "Touch": {"device": "sim", "finger": "right-index-finger"},
    SENSOR + "Present": {"device": "sim", "event": "match"}, SENSOR + "Script": {"device": "sim", "events": "match"},
    SENSOR + "Set": {"device": "sim", "key": "seed", "value": "1"}, SENSOR + "Reset": {"device": "sim"},
    SENSOR + "Dump": {"device": "sim"},
    AUTHENTICATION + "Evaluate": {"device": "sim", "policy": "passcode", "reason": "x", "allowSimulated": True,
                                  "script": f"passcode:{PASSCODE}", "scriptIsArgument": False},
    AUTHENTICATION + "CanEvaluate": {"device": "sim", "policy": "passcode"},
    KEYCHAIN + "Copy": {"device": "sim", "query": {"class": "genp", "r_Data": True}, "allowSimulated": True},
    KEYCHAIN + "Delete": {"device": "sim", "query": {"class": "genp"}, "allowSimulated": True},
    "io.localauth.Files.MakeKey": {"device": "sim", "protection": "none", "allowSimulated": True},
    "io.localauth.Files.OpenKey": {"device": "sim", "protection": "none", "allowSimulated": True,
                                   "identifier": "AAAAAAAAAAAAAAAAAAAAAA==", "wrappedKey": "AAAA"},
    "io.localauth.Backups.Create": {"device": "sim", "allowSimulated": True},
    "io.localauth.Backups.Read": {}, "io.localauth.Backups.Write": {"chunk": "AAAA"},
    "io.localauth.Backups.Open": {"device": "sim", "allowSimulated": True, "header": "AAAA", "purpose": "verify"},
    "io.localauth.Backups.Deletions": {}, "io.localauth.Backups.Finish": {"trailer": "AAAA"},
    "io.localauth.Sync.Found": {"device": "sim", "hub": HUB, "code": CODE, "name": "x", "allowSimulated": True},
    "io.localauth.Sync.Join": {"device": "sim", "hub": HUB, "code": CODE, "name": "x", "allowSimulated": True},
    "io.localauth.Sync.Invite": {"device": "sim"}, "io.localauth.Sync.Answering": {"device": "sim"},
    "io.localauth.Sync.Approve": {"device": "sim", "passcode": PASSCODE}, "io.localauth.Sync.Decline": {"device": "sim"},
    "io.localauth.Sync.Remove": {"device": "sim", "peer": "0" * 32, "passcode": PASSCODE},
    "io.localauth.Sync.Roll": {"device": "sim", "passcode": PASSCODE},
    "io.localauth.Sync.Repair": {"device": "sim", "passcode": PASSCODE},
    "io.localauth.Sync.Recover": {"device": "sim", "hub": HUB, "code": CODE, "name": "x", "allowSimulated": True},
    "io.localauth.Sync.RecoveryKey": {"device": "sim", "passcode": PASSCODE},
    "io.localauth.Sync.Conflicts": {"device": "sim"}, "io.localauth.Sync.Exposed": {"device": "sim"},
    "io.localauth.Sync.Resolve": {"device": "sim", "conflict": "0" * 64, "decision": "discard"},
    "io.localauth.Sync.Leave": {"device": "sim", "passcode": PASSCODE},
    "io.localauth.Sync.Status": {"device": "sim"}, "io.localauth.Sync.Synchronize": {"device": "sim"},
    "io.localauth.Documents.List": {"device": "sim", "allowSimulated": True},
    "io.localauth.Documents.Read": {"device": "sim", "allowSimulated": True, "name": "a"},
    "io.localauth.Documents.Remove": {"device": "sim", "allowSimulated": True, "name": "a"},
    "io.localauth.Documents.Settle": {"device": "sim", "allowSimulated": True, "name": "a", "versions": []},
    "io.localauth.Documents.Versions": {"device": "sim", "allowSimulated": True, "name": "a"},
    "io.localauth.Documents.Watch": {"device": "sim", "allowSimulated": True},
    "io.localauth.Documents.Write": {"device": "sim", "allowSimulated": True, "name": "a", "bytes": "AAAA"},
    "io.localauth.KeyValues.Read": {"device": "sim", "allowSimulated": True},
    "io.localauth.KeyValues.Watch": {"device": "sim", "allowSimulated": True},
    "io.localauth.KeyValues.Write": {"device": "sim", "allowSimulated": True, "changes": [{"key": "a"}]},
    "io.localauth.Tables.Changes": {"device": "sim", "allowSimulated": True},
    "io.localauth.Tables.Read": {"device": "sim", "allowSimulated": True, "table": "t", "row": "a"},
    "io.localauth.Tables.Watch": {"device": "sim", "allowSimulated": True},
    "io.localauth.Tables.Write": {"device": "sim", "allowSimulated": True, "changes": [{"table": "t", "row": "a"}]},
    "io.localauth.Grants.List": {}, "io.localauth.Grants.Revoke": {},
    "io.localauth.Assertions.Keys": {}, "io.localauth.Assertions.Rotate": {},
    "io.localauth.Daemon.Reload": {}, "io.localauth.Daemon.Stop": {},
}


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    rounds = max(1, int(20 * size))
    with Service(programs, work + "/system") as service:
        in_process(prepare, service.socket, user=ALICE)
        for _ in range(rounds):
            names_somebody_else(tally, service)
            own_device_of_the_same_name(tally, service)
            answers_a_prompt(tally, service)
            listens_as_an_agent(tally, service)
        if service.has_crashed():
            tally.note("crashes", f"the service: {service.errors()}")
    for _ in range(rounds):
        daemon_of_a_user(tally, programs, work)
    return tally


def prepare(path):
    peer = Peer(path)
    create(peer)
    query = {"class": "genp", "acct": "alice", "svce": "secret"}
    peer.call(KEYCHAIN + "Add", device="sim", query=query, data="aHVudGVyMg==", allowSimulated=True)
    peer.call(DEVICES + "Unlock", device="sim", passcode=wrong(0))


def refused_all(path, user):
    """Every call, for that user; the methods that did not refuse."""
    allowed = []
    for method, parameters in CALLS.items():
        reply = Peer(path).stream(method, user=user, **parameters)[-1]
        if reply.get("error") not in ("NotPermitted", "PasscodeRequired", "InvalidParameter"):
            allowed.append(f"{method}: {str(reply)[:80]}")
        if reply.get("error") == "InvalidParameter" and reply.get("parameter") != "user":
            allowed.append(f"{method} was not tried: {reply}")
    return allowed


def names_somebody_else(tally, service):
    before = service.connect().device(user=ALICE)
    for user in (ALICE, 0):
        tally.tries += len(CALLS)
        for method in in_process(refused_all, service.socket, user, user=BOB):
            tally.note("let_through", f"bob for {user}: {method}")
    after = service.connect().device(user=ALICE)
    if before != after:
        tally.note("let_through", f"alice's device changed: {before} became {after}")


def guess_at_own(path):
    peer = Peer(path)
    peer.call(DEVICES + "Create", device="sim", passcode="bob's own")
    for number in range(6):
        peer.call(DEVICES + "Unlock", device="sim", passcode=wrong(number))
    copied = peer.call(KEYCHAIN + "Copy", device="sim", allowSimulated=True,
                       query={"class": "genp", "m_Limit": "m_LimitAll", "r_Data": True})
    return [copied, peer.call(DEVICES + "Unlock", device="sim", passcode=PASSCODE)]


def own_device_of_the_same_name(tally, service):
    tally.tries += 8
    copied, opened = in_process(guess_at_own, service.socket, user=BOB)
    if copied.get("answer", {}).get("items"):
        tally.note("let_through", "bob read an item that is not his")
    if "error" not in opened:
        tally.note("let_through", "alice's passcode opened bob's device")
    count = wrong_so_far(service.connect().device(user=ALICE, origin=f"user:{ALICE}"))
    tally.note("let_through", f"bob's wrong passcodes count for alice: {count}", abs(count - 1))


def answer_in_vain(path, nonce):
    """What bob gets for alice's nonce, with her passcode and with a cancel."""
    return [Peer(path).call(AUTHENTICATION + "Respond", nonce=nonce, **answer).get("error")
            for answer in ({"passcode": PASSCODE}, {"action": "cancel"}, {"action": "fallback"})]


def answers_a_prompt(tally, service):
    """Root asks for alice, as a login does; others, and she herself from elsewhere, know the nonce."""
    asking = service.connect()
    asking.send(AUTHENTICATION + "Evaluate", more=True, policy="passcode", reason="x", device="sim", user=ALICE,
                allowSimulated=True)
    prompt = {}
    while "prompt" not in prompt:
        prompt = asking.result(asking.receive())
    for user in (BOB, ALICE, 0):
        tally.tries += 3
        errors = in_process(answer_in_vain, service.socket, prompt["prompt"]["nonce"], user=user)
        if errors != ["PromptNotFound"] * 3:
            tally.note("let_through", f"a process of {user} answered another one's prompt: {errors}")
    asking.close()


def register_and_listen(path):
    """What an agent of bob's hears while alice is asked."""
    agent = Peer(path, timeout=0.4)
    agent.send("io.localauth.Agents.Register", more=True)
    heard = [agent.result(agent.receive())]
    for parameters in ({"user": ALICE}, {}):
        other = Peer(path)
        other.send(AUTHENTICATION + "Evaluate", more=True, policy="passcode", reason="x", device="sim", agent=True,
                   allowSimulated=True, **parameters)
        heard.append(other.result(other.receive()))
    try:
        while True:
            heard.append(agent.result(agent.receive()))
    except Gone:
        return [reply for reply in heard if reply.get("prompt")]


def listens_as_an_agent(tally, service):
    """An agent of bob's registers; root's request about alice must not reach it."""
    tally.tries += 2
    heard = in_process(register_and_listen, service.socket, user=BOB)
    if heard:
        tally.note("let_through", f"bob's agent was asked: {heard}")


def connect_to_other(path):
    """What another user's daemon says when its socket is open to all by mistake."""
    try:
        return [Peer(path).call(method, **parameters).get("error") for method, parameters in CALLS.items()
                if "user" not in parameters]
    except Gone:
        return ["Gone"]


def daemon_of_a_user(tally, programs, work):
    daemon = Daemon(programs, os.path.join(work, "own"))
    with daemon:
        if daemon.connect().device() is None:
            create(daemon.connect())
        closed = in_process(connect_to_other, daemon.socket, user=BOB)
        os.chmod(daemon.home, 0o711)
        os.chmod(daemon.socket, 0o666)
        opened = in_process(connect_to_other, daemon.socket, user=BOB)
        os.chmod(daemon.home, 0o700)
        tally.tries += 1 + len(opened)
        if closed != ["Gone"]:
            tally.note("let_through", f"bob reached root's own daemon: {closed}")
        if set(opened) - {"NotPermitted", "Gone"}:
            tally.note("let_through", f"root's own daemon served bob: {set(opened)}")
