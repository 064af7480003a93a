"""A life of devices at random: the same seed gives the same calls, whatever is answered."""

import json
import os
import random
import subprocess

from driver import Driver
from peer import AUTHENTICATION, DEVICES, KEYCHAIN, SENSOR

GRANTS, AGENTS, POLICIES = "io.localauth.Grants.", "io.localauth.Agents.", "io.localauth.Policies."
FINGERS = ["right-index", "left-thumb", "right-thumb", "left-little"]
PASSCODES = ["1234", "0000", "4711", ""]
POLICY_NAMES = ["biometrics", "biometrics-and-passcode", "device-owner", "device-owner-parallel", "passcode", "none"]
LOCKOUTS = ["android", "apple", "faillock", "fido", "nist-800-63b", "three-strikes", "tpm"]
DELAYS = ["apple-2023", "apple", "gatekeeper"]
EVENTS = ["match", "match", "miss", "miss", "match:left-thumb", "retry:partial", "retry:dirty", "error:timeout",
          "interact", "finger-down", "finger-up", "unplug", "plug", "busy", "free", "lockout", "lockout:timed",
          "list", "cancel", "cancel:system", "cancel:app", "fallback", "passcode:1234", "passcode:0000", "passcode:4711",
          "insert:left-thumb", "remove:right-index"]
FLAGS = [[], [], ["biometryAny"], ["biometryCurrentSet"], ["devicePasscode"], ["userPresence"], ["applicationPassword"],
         ["biometryAny", "or", "devicePasscode"], ["biometryAny", "and", "devicePasscode"], ["biometryAny", "eachUse"],
         ["privateKeyUsage", "biometryAny"], ["privateKeyUsage"]]
PROTECTIONS = ["ak", "ck", "dk", "aku", "cku", "akpu"]
ACCOUNTS = ["ann", "bob", "eve"]
SIGN = {"algorithm": "algid:sign:ECDSA:message-X962:SHA256", "message": "AQ=="}


class Life:
    """The random choices of one transcript and where they lead."""

    def __init__(self, programs, home, seed):
        self.random = random.Random(seed)
        self.programs, self.home = programs, home
        self.driver = Driver(programs, home)
        self.devices = ["sim", "other"][:self.random.choice([1, 1, 1, 2])]

    def live(self):
        """All of it; the lines of the transcript."""
        try:
            for device in self.devices:
                self.create(device)
            for _ in range(self.random.randint(8, 24)):
                self.choose(self.steps)()
            self.look()
            return self.driver.lines
        finally:
            self.driver.end()

    @property
    def steps(self):
        return {
            self.evaluate: 8, self.ask: 8, self.answer: 14, self.administer: 8, self.drive: 6, self.queue: 3, self.keep: 9,
            self.open: 9, self.use_grants: 3, self.register: 2, self.restart: 2, self.run_program: 2, self.look: 1,
        }

    def choose(self, weights):
        if isinstance(weights, list):
            return self.random.choice(weights)
        return self.random.choices(list(weights), list(weights.values()))[0]

    def chance(self, share):
        return self.random.random() < share

    @property
    def device(self):
        return self.choose(self.devices)

    @property
    def passcode(self):
        return self.choose({"1234": 5, "0000": 3, "4711": 1})

    # Devices.

    def create(self, device):
        more = {"passcode": self.choose({"1234": 5, "4711": 1})} if self.chance(0.8) else {}
        if self.chance(0.5):
            more["lockout"] = self.choose(LOCKOUTS)
        if self.chance(0.2):
            more["passcodeDelays"] = self.choose(DELAYS)
        fingers = self.random.sample(FINGERS, self.random.choice([0, 1, 1, 1, 2, 3]))
        self.driver.call(DEVICES + "Create", device=device, fingers=fingers, **more)

    def administer(self):
        device = self.device
        proof = {"passcode": self.passcode} if self.chance(0.8) else {}
        acts = {
            "Lock": {}, "Unlock": proof, "Reboot": {}, "AdvanceClock": {
                "milliseconds": self.choose([1, 1000, 30_000, 61_000, 3_600_000, 3 * 86_400_000]), **proof},
            "SetPasscode": {"new": self.choose(PASSCODES), **proof}, "RemovePasscode": proof,
            "SetLockout": {"lockout": self.choose(LOCKOUTS), **proof}, "Erase": {}, "Delete": proof,
        }
        name = self.choose({"Lock": 4, "Unlock": 6, "Reboot": 2, "AdvanceClock": 5, "SetPasscode": 3,
                            "RemovePasscode": 1, "SetLockout": 2, "Erase": 1, "Delete": 1})
        self.driver.call(DEVICES + name, device=device, **acts[name])
        if name in {"Delete", "Erase"} and self.chance(0.7):
            self.create(device)

    def drive(self):
        device = self.device
        proof = {"passcode": self.passcode} if self.chance(0.8) else {}
        name, more = self.choose([
            ("Enroll", {"finger": self.choose(FINGERS), **proof}), ("Remove", {"finger": self.choose(FINGERS), **proof}),
            ("Remove", proof), ("List", {}), ("Dump", {}), ("Reset", {}),
            ("Set", {"key": "enroll-stages", "value": self.choose(["3", "0", "8"])}),
        ])
        self.driver.call(SENSOR + name, device=device, **more)

    def queue(self):
        """A script that waits for the next evaluation, which it answers."""
        if self.driver.is_awaited:
            return self.answer()
        request = self.request(self.device)
        self.driver.call(SENSOR + "Script", device=request["device"], events=self.script() + ",cancel")
        self.driver.scripted(AUTHENTICATION + "Evaluate", **request)

    def script(self):
        return ",".join(self.choose(EVENTS) for _ in range(self.random.randint(1, 5)))

    # Evaluations.

    def request(self, device):
        more = {"allowSimulated": not self.chance(0.03), "policy": self.choose(POLICY_NAMES), "reason": "a reason"}
        if self.chance(0.2):
            more["action"] = "copy /srv to tape 7"
        if self.chance(0.2):
            more["maxAgeSeconds"] = self.choose([60, 300])
        if self.chance(0.1):
            more["maxUses"] = 2
        if self.chance(0.1):
            more["reuseSeconds"] = 60
        if self.chance(0.1):
            more["fallbackTitle"] = self.choose(["", "Use the passcode"])
        if self.chance(0.1):
            more["passcodeTries"] = 1
        return {"device": device, "timeoutMilliseconds": 600_000, **more}

    def evaluate(self):
        if self.driver.is_awaited:
            return self.answer()
        request = self.request(self.device)
        kind = self.choose(["script", "script", "script", "silent", "preflight"])
        if kind == "preflight":
            return self.driver.call(AUTHENTICATION + "CanEvaluate", policy=request["policy"], device=request["device"],
                                    allowSimulated=request["allowSimulated"])
        if kind == "silent":
            return self.driver.scripted(AUTHENTICATION + "Evaluate", interactive=False, **request)
        # A script that runs out leaves the prompt to a person.
        self.driver.scripted(AUTHENTICATION + "Evaluate", script=self.script() + ",cancel", **request)

    def ask(self):
        if len(self.driver.streams) > 3:
            return self.answer()
        if self.chance(0.2):
            return self.driver.ask(DEVICES + "Unlock", device=self.device, timeoutMilliseconds=600_000)
        more = {"agent": True} if self.chance(0.15) else {}
        self.driver.ask(AUTHENTICATION + "Evaluate", **self.request(self.device), **more)

    def answer(self):
        asking = self.driver.asking
        if not asking and self.driver.is_awaited:
            # An agent's prompt that nobody shows.
            return self.driver.leave(self.driver.streams[-1])
        if not asking:
            return self.ask()
        stream = self.choose(asking)
        kind = self.choose({"touch": 6, "passcode": 5, "cancel": 2, "fallback": 2, "leave": 1})
        if kind == "touch":
            return self.driver.touch(stream, self.choose(FINGERS))
        if kind == "leave":
            return self.driver.leave(stream)
        answer = {"passcode": self.passcode} if kind == "passcode" else {"action": kind}
        self.driver.respond(stream, **answer)

    def use_grants(self):
        if self.chance(0.5):
            return self.driver.call(GRANTS + "List")
        self.driver.call(GRANTS + "Revoke", **({"device": self.device} if self.chance(0.5) else {}))

    def register(self):
        self.driver.ask(AGENTS + "Register")

    # The keychain.

    def asking(self, device):
        more = {"device": device, "allowSimulated": True, "timeoutMilliseconds": 600_000}
        if self.chance(0.3):
            more["applicationPassword"] = self.choose(["pepper", "pepper", "salt"])
        if self.chance(0.7):
            more["script"] = self.script() + ",cancel"
        else:
            more["interactive"] = False
        if self.chance(0.4):
            more["context"] = self.choose([1, 2])
        return more

    def keep(self):
        if self.driver.is_awaited:
            return self.answer()
        account = self.choose(ACCOUNTS)
        query = {"class": "genp", "acct": account, "svce": "service"}
        if self.chance(0.6):
            query["accc"] = {"accessControl": {"protection": self.choose(PROTECTIONS), "flags": self.choose(FLAGS)}}
        else:
            query["pdmn"] = self.choose(PROTECTIONS)
        asking = self.asking(self.device)
        if self.chance(0.2):
            return self.driver.scripted(KEYCHAIN + "GenerateKey", query={**query, "class": "keys", "labl": "key"}, **asking)
        self.driver.scripted(KEYCHAIN + "Add", query=query, data="aHVudGVyMg==", **asking)

    def open(self):
        if self.driver.is_awaited:
            return self.answer()
        query = {"class": "genp"}
        if self.chance(0.8):
            query["acct"] = self.choose(ACCOUNTS)
        wanted = {"r_Data": True} if self.chance(0.7) else {"r_Attributes": True}
        if self.chance(0.3):
            wanted["m_Limit"] = "m_LimitAll"
        asking = self.asking(self.device)
        control = {"protection": "ak", "flags": self.choose(FLAGS)}
        key = {"class": "keys", "labl": "key"}
        name, more = self.choose([
            ("Copy", {"query": {**query, **wanted}}), ("Copy", {"query": {**query, **wanted}}),
            ("Update", {"query": query, "changes": {"icmt": "changed"}, "data": "bmV3"}), ("Delete", {"query": query}),
            ("Sign", {"query": key, **SIGN}), ("EvaluateAccessControl", {"accessControl": control, "operation": "decrypt"}),
        ])
        self.driver.scripted(KEYCHAIN + name, **more, **asking)

    # The program, the power, and what is to be seen.

    def restart(self):
        self.driver.restart()

    def run_program(self):
        """Statuses of `authctl`, by what it prints as JSON."""
        if self.driver.is_awaited:
            return self.answer()
        words = self.choose([
            ["evaluate", "--policy", self.choose(POLICY_NAMES), "--reason", "a reason", "--script", self.script() + ",cancel"],
            ["can-evaluate", "--policy", self.choose(POLICY_NAMES)], ["keychain", "list", "--non-interactive"],
            ["sensor", "list"], ["device", "lock"], ["keychain", "get", "--account", "ann", "--script", "match,cancel"],
        ])
        ran = subprocess.run(
            [os.path.join(self.programs, "authctl"), "--json", "--home", self.home, "--device", self.device, *words],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60, text=True,
            env={"PATH": "/usr/bin:/bin", "HOME": self.home})
        self.driver.note({"authctl": words}, [ran.returncode, readable(ran.stdout), ran.stderr])
        self.driver.settle()

    def look(self):
        self.driver.call(DEVICES + "List")
        for device in self.devices:
            self.driver.call(DEVICES + "Audit", device=device, limit=10_000)


def readable(text):
    """JSON as values, line by line, and anything else as it is."""
    try:
        return [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return text
