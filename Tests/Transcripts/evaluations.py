"""Evaluations of policies, who answers them, and what is remembered of them."""

from plain import ACTIONS

AUTHENTICATION, GRANTS, AGENTS = "io.localauth.Authentication.", "io.localauth.Grants.", "io.localauth.Agents."
SENSOR, DEVICES = "io.localauth.Sensor.", "io.localauth.Devices."
POLICIES = ["biometrics", "biometrics-and-passcode", "device-owner", "device-owner-parallel", "passcode"]
EVENTS = ["match", "match", "match", "miss", "miss", "match:left-thumb", "touch:right-index", "retry:partial",
          "retry:dirty", "error:timeout", "error:removed", "interact", "finger-down", "finger-up", "unplug", "plug",
          "busy", "free", "lockout", "lockout:timed", "list", "cancel", "cancel:system", "cancel:app", "fallback",
          "passcode:1234", "passcode:1234", "passcode:1234", "passcode:0000", "passcode:4711", "set:latency=2s",
          "sleep:3s", "answer:0000"]
RARE = ["insert:left-thumb", "remove:right-index", "passcode", "insert:nose"]
FINGERS = ["right-index", "right-index", "left-thumb", "right-thumb"]


# What a person who knows what to do does.
RIGHT = ["match", "match,cancel", "passcode:1234,cancel", "fallback,passcode:1234,cancel", "match,passcode:1234,cancel",
         "miss,match,passcode:1234", "passcode:0000,passcode:1234,match,cancel",
         "retry:dirty,match,passcode:1234,cancel"]


def script(life):
    if life.chance(0.4):
        return life.choose(RIGHT)
    events = [life.choose(EVENTS) for _ in range(life.random.randint(1, 5))]
    if life.chance(0.04):
        events.append(life.choose(RARE))
    return ",".join(events + (["cancel"] if life.chance(0.9) else []))


def scripting(life, device):
    """A script beside a call; an account's password is taken only from one that was no argument."""
    is_argument = life.chance(0.15 if device in {"default", *life.accounts} else 0.95)
    return {"script": script(life), **({} if is_argument else {"scriptIsArgument": False})}


def request(life):
    more = {"policy": life.choose(POLICIES * 4 + ["none", "user/none"]), "reason": "a reason", "device": life.device}
    if life.chance(0.97):
        more["allowSimulated"] = True
    if life.chance(0.03):
        more["device"] = life.choose(["nobody's", "default"])
    more |= life.some(
        action=(0.15, ACTIONS), maxAgeSeconds=(0.35, [60, 300]), reuseSeconds=(0.12, [60]),
        fallbackTitle=(0.1, ["", "Use the passcode"]), cancelTitle=(0.05, ["Not now"]), passcodeTries=(0.1, [1, 2]),
        assertion=(0.1, [{"audience": "https://pay.example", "nonce": "n1"}]),
        timeoutMilliseconds=(0.3, [600_000] * 9 + [5000] * 9 + [0]))
    if "maxAgeSeconds" in more:
        more |= life.some(maxUses=(0.4, [1, 2]))
    return more


def scripted(life):
    """One that a script answers, or nobody."""
    more = request(life)
    kind = life.choose(["script", "script", "script", "silent", "preflight"])
    if kind == "preflight":
        shown = {name: more[name] for name in ("policy", "device", "allowSimulated") if name in more}
        return life.call(AUTHENTICATION + "CanEvaluate", **shown)
    if kind == "silent":
        return life.call(AUTHENTICATION + "Evaluate", more=life.chance(0.7), interactive=False, **more)
    life.requests.append((caller := life.caller, more))
    life.call(AUTHENTICATION + "Evaluate", caller=caller, more=life.chance(0.95),
              **scripting(life, more["device"]), **more)


def repeated(life):
    """The same as before, of the same caller: a grant may answer."""
    remembered = [entry for entry in life.requests if "maxAgeSeconds" in entry[1]]
    if not remembered:
        caller, more = life.caller, {**request(life), "policy": "device-owner", "maxAgeSeconds": 300}
        life.requests.append((caller, more))
        return life.call(AUTHENTICATION + "Evaluate", caller=caller, more=True, script="match,passcode:1234,cancel",
                         **more)
    caller, more = life.choose(remembered)
    if life.chance(0.2):
        caller = life.caller
    life.call(AUTHENTICATION + "Evaluate", caller=caller, more=True, **more)


def queued(life):
    """A script that waits for the next evaluation, which it answers."""
    more = request(life)
    life.call(SENSOR + "Script", device=more["device"], events=script(life))
    if life.chance(0.3):
        more["agent"] = True
    life.call(AUTHENTICATION + "Evaluate", more=True, **more)


def asked(life):
    """One that a person is asked by: the caller itself, or an agent."""
    if len(life.driver.underway) > 5:
        return answer(life)
    if life.chance(0.2):
        device = life.device
        more = scripting(life, device) if life.chance(0.4) else {}
        return life.call(DEVICES + "Unlock", more=True, device=device, timeoutMilliseconds=600_000, **more)
    has_agent = any(call.method == AGENTS + "Register" for call in life.driver.underway)
    more = {"agent": True} if life.chance(0.7 if has_agent else 0.1) else {}
    more |= request(life)
    life.requests.append((caller := life.caller, more))
    life.call(AUTHENTICATION + "Evaluate", caller=caller, more=not more.get("agent") or life.chance(0.8), **more)


def reused(life):
    """A finger unlocks the device, and that stands in for a touch."""
    device, caller = life.device, life.caller
    by_finger = {"more": True, "script": "match,cancel"}
    for method, more in [("Unlock", {"passcode": "1234"}), ("Lock", {}), ("Unlock", by_finger)]:
        life.call(DEVICES + method, caller=caller, device=device, **more)
    if life.chance(0.3):
        life.driver.wait(life.choose([1000, 200_000, 600_000]))
    more = {"action": ACTIONS[0]} if life.chance(0.1) else {}
    life.call(AUTHENTICATION + "Evaluate", caller=caller, more=True, policy=life.choose(POLICIES), reason="a reason",
              device=device, allowSimulated=True, reuseSeconds=life.choose([60, 300]), script="passcode:1234,cancel",
              scriptIsArgument=False, **more)


def assigned(life):
    """An agent is asked on behalf of another process, and answers, or goes away."""
    agents = [call for call in life.driver.underway if call.method == AGENTS + "Register"]
    if not agents and len(life.driver.callers) > 1:
        agents = [life.call(AGENTS + "Register", caller=life.choose(life.driver.callers[1:]), more=True)]
    for _ in range(life.choose([1, 1, 2, 3])):
        life.call(AUTHENTICATION + "Evaluate", caller=life.caller, more=life.chance(0.7), agent=True, **request(life))
    for _ in range(life.random.randint(1, 5)):
        shown = [call for call in agents if call.prompt]
        if not shown:
            break
        answer(life, life.choose(shown))


def wrong(life):
    """One wrong answer after the other, until no more is judged."""
    device, caller = life.device, life.caller
    for _ in range(life.random.randint(3, 12)):
        if life.chance(0.5):
            life.call(DEVICES + "Unlock", caller=caller, device=device, passcode="9999")
        else:
            more = {"script": life.choose(["miss,miss,miss,miss,cancel", "miss,miss,passcode:9999,cancel"])}
            life.call(AUTHENTICATION + "Evaluate", caller=caller, more=True, policy=life.choose(POLICIES),
                      reason="a guess", device=device, allowSimulated=True, scriptIsArgument=False, **more)


def crowd(life):
    """More requests of one program than an agent or a device takes."""
    device, caller = life.device, life.caller
    has_agent = any(call.method == AGENTS + "Register" for call in life.driver.underway)
    for number in range(life.random.randint(3, 10)):
        life.call(AUTHENTICATION + "Evaluate", caller=caller, more=True, policy="device-owner", device=device,
                  agent=has_agent and life.chance(0.9), reason=f"reason {number % life.choose([1, 3, 20])}",
                  allowSimulated=True)


def answer(life, call=None):
    """Somebody answers a prompt, in one of the ways there are."""
    if call is None and not life.asking:
        # Whoever waits for nobody gives up.
        waiting = [call for call in life.driver.underway if call.method != AGENTS + "Register"]
        return life.driver.leave(life.choose(waiting)) if waiting else asked(life)
    call = call or life.choose(life.asking)
    shown = call.prompt
    kinds = {"touch": 7 if shown["biometry"] else 1, "passcode": 8 if shown.get("passcodePrompt") else 1, "cancel": 2,
             "fallback": 3 if shown["fallback"] else 0.5, "leave": 1, "stranger": 0.3, "stale": 0.3, "time": 0.4,
             "both": 0.2}
    kind = life.choose(kinds)
    if kind == "touch":
        return life.call(SENSOR + "Touch", device=shown["device"], finger=life.choose(FINGERS))
    if kind == "leave":
        return life.driver.leave(call)
    if kind == "time":
        return life.driver.wait(life.choose([5000, 31_000, 600_001]))
    given = {"passcode": secret(life, shown)} if kind in {"passcode", "both", "stale", "stranger"} else {"action": kind}
    if kind == "both":
        given["action"] = "cancel"
    caller = life.caller if kind == "stranger" else call.caller
    nonce = "0" * 32 if kind == "stale" else shown["nonce"]
    life.call(AUTHENTICATION + "Respond", caller=caller, line="answers", nonce=nonce, **given)


def secret(life, shown):
    return life.choose(["pepper", "pepper", "salt"]) if shown.get("applicationPassword") else life.passcode


def register(life):
    """An agent, which goes away where there are some already."""
    agents = [call for call in life.driver.underway if call.method == AGENTS + "Register"]
    if agents and life.chance(0.5):
        return life.driver.leave(life.choose(agents))
    life.call(AGENTS + "Register", caller=life.caller, more=life.chance(0.95))


def grants(life):
    """Lists what was granted, and ends one of it, or all."""
    listed = life.call(GRANTS + "List", **life.some(device=(0.3, [*life.devices, "nobody's"])))
    known = [grant["grant"] for grant in listed.result.get("grants", [])] if isinstance(listed.result, dict) else []
    if life.chance(0.5):
        one = {"grant": life.choose(known + ["f" * 32])} if life.chance(0.6) else {}
        life.call(GRANTS + "Revoke", **(one or life.some(device=(0.5, life.devices))))
