"""What can be seen without changing anything, and calls that are none."""

from plain import ACTIONS

DEVICES, POLICIES, ASSERTIONS = "io.localauth.Devices.", "io.localauth.Policies.", "io.localauth.Assertions."
KEYCHAIN, SERVICE, EVALUATE = "io.localauth.Keychain.", "org.varlink.service.", "io.localauth.Authentication.Evaluate"
BAD_POLICY = '{"name": "user/x", "requirement": "nothing"}'
GOOD_POLICY = '{"name": "user/x", "summary": "X.", "requirement": "passcode"}'
FRAMES = [b"{}\0", b"nonsense\0", b'{"method": 7}\0', b'{"method": "a", "method": "b"}\0', b"[" * 40 + b"\0"]


def look(life):
    """Devices and the whole audit."""
    life.call(DEVICES + "List")
    for device in life.devices:
        life.call(DEVICES + "Audit", device=device, limit=10_000)
    life.call("io.localauth.Grants.List")


def ask(life):
    method, more = life.choose([
        (DEVICES + "Status", {"device": life.device}), (DEVICES + "Status", {}),
        (DEVICES + "Status", {"device": "nobody's"}), (DEVICES + "Audit", {"limit": 2}),
        (DEVICES + "Audit", {"limit": 0}), (DEVICES + "Audit", {"more": True, "follow": True}),
        (DEVICES + "VerifyAudit", {}), (POLICIES + "List", {}), (POLICIES + "Show", {"policy": "passcode"}),
        (POLICIES + "Show", {"policy": "none"}), (POLICIES + "Check", {"file": "x.json", "source": BAD_POLICY}),
        (POLICIES + "Check", {"file": "x.json", "source": GOOD_POLICY}), (ASSERTIONS + "Keys", {}),
        (ASSERTIONS + "Keys", {"simulated": True}), (ASSERTIONS + "Rotate", {"simulated": True}),
        (KEYCHAIN + "Groups", {}),
        (SERVICE + "GetInfo", {}), (SERVICE + "GetInterfaceDescription", {"interface": "org.nobody"}),
    ])
    life.call(method, caller=life.caller, **more)


def misuse(life):
    """What a peer should not send."""
    device, action = life.device, ACTIONS[0]
    kind = life.choose({"bytes": 1, "calls": 6, "oneway": 1})
    if kind == "bytes":
        frame = life.choose(FRAMES)
        life.driver.send(frame, "bytes", life.driver.callers[0])
        return life.driver.note({"bytes": frame.decode()})
    if kind == "oneway":
        return life.call(DEVICES + "Lock", oneway=True, device=device)
    method, more = life.choose([
        ("io.localauth.Nothing.At", {}), (DEVICES + "Nothing", {}), (DEVICES + "Lock", {"colour": "red"}),
        (DEVICES + "Lock", {"device": 7}), (EVALUATE, {"device": device}), (DEVICES + "Lock", {"user": 4242}),
        (DEVICES + "Lock", {"origin": "owner"}), (DEVICES + "Create", {"device": "a b"}),
        (DEVICES + "Create", {"device": "default"}),
        (DEVICES + "Delete", {"device": "default"}), (DEVICES + "Reboot", {}), (EVALUATE, {
            "policy": "passcode", "reason": "x" * 1025, "device": device}),
        (EVALUATE, {"policy": "passcode", "reason": "r", "device": device, "action": action + "\n"}),
        (EVALUATE, {"policy": "passcode", "reason": "r", "device": device, "timeoutMilliseconds": 3_600_001}),
        (EVALUATE, {"policy": "passcode", "reason": "r", "device": device, "script": "match", "agent": True}),
        ("io.localauth.Sensor.Touch", {"finger": "right-index"}), (KEYCHAIN + "Copy", {"query": {"class": "none"}}),
        (KEYCHAIN + "InvalidateContext", {"context": -1}),
    ])
    life.call(method, **more)
