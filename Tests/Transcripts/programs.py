"""Runs of `authctl`, and the statuses that they exit with."""

import devices
import evaluations
from plain import ACTIONS

MISUSED = [["evaluate"], ["evaluate", "--policy", "passcode"], ["nonsense"], ["device"], ["sensor", "touch", "nose"],
           ["evaluate", "--reason", "r", "--timeout", "soon"], ["passcode", "set", "--stdin", "--passcode-fd", "9"],
           ["keychain", "add", "--class", "spoon"], ["grant", "revoke"], ["sensor", "script", "nonsense"], [],
           ["--version"], ["policy", "check", "/nowhere/x.json"], ["device", "create", "a/b"], ["completion", "tcsh"]]


def run(life):
    """One program, and the next where it says so; one in ten without --json."""
    words, given = life.choose([misused, evaluate, administer, keep, ask, ask])(life)
    about = ["--device", life.device] if life.chance(0.97) else []
    if devices.ENDING_VERBS & set(words):
        life.thin_out()
    shown = ["--json"] if life.chance(0.85) else ["--quiet"] if life.chance(0.3) else []
    life.driver.run([*shown, *about, *words], given)


def misused(life):
    return life.choose(MISUSED), ""


def evaluate(life):
    policy = life.choose(evaluations.POLICIES + ["none"])
    words = ["evaluate", "--policy", policy, "--reason", "a reason"]
    how = life.choose({"script": 6, "silent": 1, "agent": 2, "can": 1, "fd": 1, "signed": 1})
    if how == "can":
        return ["can-evaluate", "--policy", policy], ""
    if life.chance(0.3):
        words += ["--max-age", "5m"]
    if life.chance(0.2):
        words += ["--action", life.choose(ACTIONS)]
    if how == "signed":
        words += ["--assertion", "--audience", "https://pay.example", "--nonce", "n2"]
    more = {"silent": ["--non-interactive"], "agent": ["--agent"], "fd": ["--passcode-fd", "0"]}
    words += more.get(how) or ["--script", evaluations.script(life) + ",cancel"]
    return words, life.passcode + "\n" if how == "fd" else ""


def administer(life):
    secret, device = life.passcode + "\n", life.device
    return life.choose([
        (["device", "list"], ""), (["device", "lock"], ""), (["device", "unlock", "--stdin"], secret),
        (["device", "unlock", "--script", "match,cancel"], ""), (["device", "reboot"], ""),
        (["device", "clock", "advance", "31s"], ""), (["device", "clock", "advance", "--passcode-stdin", "2h"], secret),
        (["device", "create", "third", "--finger", "right-index", "--passcode-stdin"], secret),
        (["device", "delete", "third", "--passcode-stdin"], secret), (["device", "delete", device], ""),
        (["sensor", "list"], ""), (["sensor", "dump"], ""),
        (["sensor", "enroll", "left-thumb", "--passcode-stdin"], secret),
        (["sensor", "remove", "left-thumb", "--passcode-stdin"], secret), (["sensor", "touch", "right-index"], ""),
        (["sensor", "present", "miss"], ""), (["sensor", "script", "match,passcode:1234"], ""),
        (["sensor", "set", "enroll-stages=3"], ""), (["sensor", "set", "plugged=maybe"], ""), (["sensor", "reset"], ""),
        (["passcode", "set", "--stdin"], secret), (["passcode", "change", "--stdin"], secret + life.passcode + "\n"),
        (["passcode", "remove", "--stdin"], secret), (["device", "erase"], ""),
    ])


def keep(life):
    account = ["--account", life.choose(["ann", "bob"]), "--service", "service"]
    script = ["--script", evaluations.script(life) + ",cancel"] if life.chance(0.7) else ["--non-interactive"]
    control = life.choose([[], ["--access-control", "biometryAny"], ["--access-control", "devicePasscode"],
                           ["--access-control", "nonsense"], ["--accessible", "always"],
                           ["--access-group", "no group"]])
    return life.choose([
        (["keychain", "add", *account, *control, "--stdin", *script], "hunter2\n"),
        (["keychain", "add", *account, *control, "--stdin", *script], "hunter3\n"),
        (["keychain", "get", *account, *script], ""), (["keychain", "get", *account, *script], ""),
        (["keychain", "list", "--non-interactive"], ""),
        (["keychain", "update", *account, "--set-label", "new", *script], ""),
        (["keychain", "delete", *account, *script], ""), (["keychain", "delete", *script[:1]], ""),
    ])


def ask(life):
    return life.choose([
        (["status"], ""), (["audit", "--limit", "3"], ""), (["grant", "list"], ""), (["grant", "revoke", "--all"], ""),
        (["jwks", "--simulated"], ""), (["policy", "list"], ""), (["policy", "show", "passcode"], ""),
        (["policy", "explain", "device-owner"], ""), (["policy", "show", "none"], ""), (["audit", "--verify"], ""),
        (["jwks", "rotate", "--simulated"], ""), (["grant", "revoke", "abcd"], ""),
    ])
