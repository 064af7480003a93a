"""What happens while a passcode is being judged, or while the disk has not answered."""

import signal

import devices
import evaluations
import items

DEVICES, SENSOR, AUTHENTICATION = "io.localauth.Devices.", "io.localauth.Sensor.", "io.localauth.Authentication."


def judged(life):
    """A passcode that is judged only when other things have happened."""
    device = life.device
    how = life.choose(["prompt", "prompt", "call", "item", "script", "program"])
    call = prompted(life, device) if how == "prompt" else None
    life.driver.hold("judge")
    if call and call.prompt:
        life.call(AUTHENTICATION + "Respond", caller=call.caller, line="answers", nonce=call.prompt["nonce"],
                  passcode=evaluations.secret(life, call.prompt))
    elif how == "call":
        life.call(DEVICES + life.choose(["Unlock", "RemovePasscode", "Delete"]), device=device, passcode=life.passcode)
    elif how == "item":
        items.context(life)
    elif how == "program":
        call = life.driver.run(["--json", "--device", device, "evaluate", "--policy", "device-owner", "--reason", "why",
                                "--script", f"passcode:{life.passcode},cancel"])
    else:
        life.call(AUTHENTICATION + "Evaluate", more=True, policy="device-owner", reason="a reason", device=device,
                  allowSimulated=True, scriptIsArgument=False, script=f"passcode:{life.passcode},match,cancel")
    meanwhile(life, device, call)


def stored(life):
    """Something that must be on the disk first, and what happens until it is."""
    device = life.device
    call = prompted(life, device) if life.chance(0.6) else None
    life.driver.hold("disk")
    if call and call.prompt and call.prompt["biometry"] and life.chance(0.7):
        life.call(SENSOR + "Touch", device=device, finger=life.choose(evaluations.FINGERS))
    elif call and call.prompt:
        evaluations.answer(life, call)
    else:
        life.choose([items.add, items.use, devices.administer, devices.drive, evaluations.scripted,
                     evaluations.repeated])(life)
    meanwhile(life, device, call)


def prompted(life, device):
    """A prompt on the device: one that is there, or a new one; None where nobody is asked."""
    shown = [call for call in life.asking if call.prompt["device"] == device]
    if shown:
        return life.choose(shown)
    life.requests.append((caller := life.caller, more := {**evaluations.request(life), "device": device}))
    call = life.call(AUTHENTICATION + "Evaluate", caller=caller, more=True, **more)
    return call if call.prompt else None


def meanwhile(life, device, call):
    """One thing to three; then whoever was held goes on, or the power is lost."""
    for _ in range(life.random.randint(1, 3)):
        kind = life.choose(["leave", "cancel", "touch", "passcode", "Lock", "Reboot", "Erase", "wait", "advance",
                            "another", "Set", "drive", "administer", "Delete", "agent", "item"])
        if kind == "leave" and call in life.driver.underway:
            life.driver.leave(call)
        elif kind in {"cancel", "passcode"} and call and call.prompt:
            given = {"action": "cancel"} if kind == "cancel" else {"passcode": life.passcode}
            life.call(AUTHENTICATION + "Respond", caller=call.caller, line="answers", nonce=call.prompt["nonce"],
                      **given)
        elif kind == "touch":
            life.call(SENSOR + "Touch", device=device, finger=life.choose(evaluations.FINGERS))
        elif DEVICES + kind in devices.ENDING:
            life.call(DEVICES + kind, device=device, **(life.proof if kind == "Delete" else {}))
        elif kind == "Set":
            life.call(SENSOR + "Set", device=device, key="plugged", value="false")
        elif kind == "advance":
            life.call(DEVICES + "AdvanceClock", device=device, milliseconds=life.choose(devices.MOMENTS))
        else:
            {"wait": devices.wait, "another": evaluations.asked, "drive": devices.drive, "agent": evaluations.register,
             "administer": devices.administer, "item": items.use}.get(kind, evaluations.scripted)(life)
    if life.chance(0.25):
        return life.driver.restart(signal.SIGKILL)
    life.release()
