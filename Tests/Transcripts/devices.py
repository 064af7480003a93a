"""What is done to devices and their sensors."""

import signal

DEVICES, SENSOR = "io.localauth.Devices.", "io.localauth.Sensor."
FINGERS = ["right-index", "left-thumb", "right-thumb", "left-little"]
LOCKOUTS = ["android", "apple", "faillock", "fido", "nist-800-63b", "three-strikes", "tpm"]
DELAYS = ["apple-2023", "apple", "gatekeeper"]
SETTINGS = [
    ("enroll-stages", "3"), ("enroll-stages", "0"), ("max-enrollments", "1"), ("duplicates-check", "false"),
    ("latency", "400ms"), ("authenticate-error", "next:timeout"), ("authenticate-fails", "true"),
    ("detect-interaction", "true"), ("timeout", "20s"), ("cancellation", "false"), ("plugged", "false"),
    ("busy", "true"), ("lockout-enable", "true"), ("lockout-timed-threshold", "2"), ("keep-alive", "true"),
    ("strength", "weak"), ("model", "standard"), ("model", "nobody"), ("seed", "7"), ("person", "3"),
    ("acquired", "start,good"), ("acquired", "partial"), ("prints", "A=right-index"),
    ("enroll-acquired", "too-high"), ("colour", "red")]
HAPPENINGS = ["match", "miss", "touch:right-index", "touch:A", "retry:partial", "error:timeout", "interact",
              "finger-down", "finger-up", "unplug", "plug", "busy", "free", "lockout", "lockout:timed", "stage:good",
              "stage:too-high", "stage:exists", "cancel", "match,miss", "nonsense"]
# What no device is made with.
WRONG = [{"lockout": "nothing"}, {"passcodeDelays": "none"}, {"stoppedClock": True}, {"fingers": ["nose"]}]
# What ends all that is under way on a device.
ENDING = {DEVICES + name for name in ("Lock", "Reboot", "Erase", "Delete")}
ENDING_VERBS = {"lock", "reboot", "erase", "delete"}
MOMENTS = [1, 999, 4000, 11_000, 31_000, 61_000, 301_000, 3_600_000, 3 * 86_400_000]


def is_ending(call):
    return call.method in ENDING or call.method == "authctl" and bool(ENDING_VERBS & set(call.words))


def create(life, device):
    more = {"fingers": life.random.sample(FINGERS, life.choose([0, 1, 1, 1, 2, 3]))}
    kind = life.choose({"own": 15, "none": 2, "pam": 4})
    life.accounts.discard(device)
    if kind == "own":
        more["passcode"] = life.choose({"1234": 5, "4711": 1})
    elif kind == "pam":
        life.accounts.add(device)
        more |= {"pamService": life.choose(["asks", "asks-twice"]), "pamDirectory": life.services}
    if life.chance(0.03):
        more = {"sensor": "none", **more, "fingers": []}
    more |= life.some(lockout=(0.5, LOCKOUTS), passcodeDelays=(0.2, DELAYS))
    if life.chance(0.02):
        life.call(DEVICES + "Create", device=device, **{**more, **life.choose(WRONG)})
    life.call(DEVICES + "Create", device=device, **more)


def administer(life):
    device, proof = life.device, life.proof
    name = life.choose({"Lock": 4, "Unlock": 7, "Reboot": 2, "AdvanceClock": 5, "SetPasscode": 3, "RemovePasscode": 1,
                        "SetLockout": 2, "Erase": 1, "Delete": 1, "Create": 1})
    if name == "Create":
        return create(life, device)
    more = {
        "Lock": {}, "Unlock": proof, "Reboot": {}, "Erase": {}, "RemovePasscode": proof, "Delete": proof,
        "AdvanceClock": {"milliseconds": life.choose(MOMENTS + [-5]), **proof},
        "SetPasscode": {"new": life.choose(["1234"] * 5 + ["0000", "4711", "", "x" * 512]), **proof},
        "SetLockout": {"lockout": life.choose(LOCKOUTS + ["nothing"]), **proof,
                       **life.some(passcodeDelays=(0.3, DELAYS))},
    }[name]
    life.call(DEVICES + name, caller=life.caller, device=device, **more)
    if name == "Lock" and life.chance(0.5):
        # Its grace is over.
        life.driver.wait(10_001)
    if name in {"Delete", "Erase"} and life.chance(0.9):
        create(life, device)


def drive(life):
    device, proof, finger = life.device, life.proof, life.choose(FINGERS)
    acts = {
        "enroll": 4, "by hand": 2, "remove": 2, "List": 1, "Dump": 2, "Reset": 1, "set": 5, "present": 5, "Script": 2,
        "touch": 2, "wait for": 1}
    act = life.choose(acts)
    if act == "enroll":
        life.call(SENSOR + "Enroll", more=life.chance(0.5), device=device, finger=finger, **proof)
    elif act == "by hand":
        life.call(SENSOR + "Enroll", more=True, device=device, finger=finger, manual=True, **proof)
        for _ in range(life.random.randint(1, 6)):
            event = life.choose(["stage:good"] * 2 + ["touch:" + finger, "stage:poor-quality", "retry:dirty", "unplug"])
            life.call(SENSOR + "Present", device=device, event=event)
    elif act == "remove":
        life.call(SENSOR + "Remove", device=device, **proof, **({"finger": finger} if life.chance(0.6) else {}))
    elif act == "set":
        key, value = life.choose(SETTINGS)
        life.call(SENSOR + "Set", device=device, key=key, value=value)
    elif act == "present":
        life.call(SENSOR + "Present", device=device, event=life.choose(HAPPENINGS))
    elif act == "Script":
        events = life.choose(["match", "miss,match", "passcode:1234,cancel", "no"])
        life.call(SENSOR + "Script", device=device, events=events, times=life.choose([1, 1, 2, 0]))
    elif act == "touch":
        life.call(SENSOR + "Touch", device=device, finger=finger)
    elif act == "wait for":
        life.call(SENSOR + "Touch", device=device, finger=finger, wait=True, timeoutMilliseconds=20_000)
    else:
        life.call(SENSOR + act, device=device)


def revive(life):
    """Makes anew what was deleted, and gives a passcode back."""
    for device in life.devices:
        told = (life.call(DEVICES + "Status", device=device).result or {}).get("device")
        if not isinstance(told, dict):
            create(life, device)
        elif "none" in (told["passcode"], told["keychain"]):
            life.call(DEVICES + "SetPasscode", device=device, new="1234")
        if life.chance(0.5):
            life.call(DEVICES + "Unlock", device=device, passcode="1234")


def wait(life):
    life.driver.wait(life.choose(MOMENTS))


def restart(life):
    by = life.choose([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
    if by == signal.SIGTERM:
        life.thin_out()
    life.driver.restart(by)
