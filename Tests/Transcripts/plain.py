"""What was said without what chance chose: identifiers, keys and processes are named by order of appearance."""

import base64
import hashlib
import json
import re

# What depends on the machine that the transcript is made on.
VARYING = {"version", "memoryLocked", "terminal", "program", "programPath", "caller"}
PROCESSES = {"pid", "leader"}
TOKEN = re.compile(r"[A-Za-z0-9+/_=-]{22,}")
JWT = re.compile(r"eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+")
PROCESS = re.compile(r"\b(process|pid|session) (\d+)")
SHORT = re.compile(r"\b[0-9a-f]{8}\b")
VERSION = re.compile(r"\b\d+\.\d+\.\d+\b|(?<=\bpython3)\.\d+")
# The kernel gives the first terminal that is free, which others on the machine decide.
TERMINAL = re.compile(r"\bpts/\d+")
WORDS = re.compile(r"[A-Za-z]?[a-z]+([A-Z-][a-z]+)*")
ACTIONS = ["copy /srv to tape 7", "pay 10 to ann"]
# What looks like chance and is not.
KNOWN = {hashlib.sha256(action.encode()).hexdigest() for action in ACTIONS}

# Differences from the programs that the digests were recorded with, each by the name that the changelog gives it.
RENAMED = [
    # One spelling.
    (re.compile(r"(The user|The system|The program that asked) canceled"), r"\1 cancelled"),
    # A policy may ask for something that a person has, by its kind or its name.
    (re.compile(r'"passcode", "possession", \{"kind": \.\.\.\}, \{"authenticator": \.\.\.\}, \{"allOf"'), '"passcode", {"allOf"'),
    # There are ten more verbs.
    (re.compile(r"\bpolicy, authenticator, grant\b"), "policy, grant"),
    (re.compile(r"\baudit, file, backup, kv, doc, table, sync, hub, rncrypt, daemon\b"), "audit, daemon"),
    (re.compile(r"\bstatus, panel, device\b"), "status, device"),
    (re.compile(r"\bunlock, watch, reboot\b"), "unlock, reboot"),
    # There are two more policies.
    (re.compile(r"device-owner-parallel, passcode, second-factor and work-laptop"), "device-owner-parallel and passcode"),
    (re.compile(r"\b7 policies\."), "5 policies."),
    (re.compile(r"\n(?:second-factor|work-laptop) +shipped  [^\n]*"), ""),
    # What explains a policy names the authenticators for each clause at its end.
    (re.compile(r"\n(\n(?:a finger|the passcode) [^\n]*)+\n\Z"), "\n"),
    # A proof named an application password for items that have none.
    (re.compile(r"\b((?:fingerprint|passcode|pam|reuse|grant)(?:\+(?:passcode|pam))?)\+applicationPassword\b"), r"\1"),
    # Who has no sensor on their own machine was told to make a simulated device, not which readers there are.
    (re.compile(r"(There is no usable sensor\. )See which readers there are: ([^\n]*) authenticator list"),
     r"\1Make a simulated device: \2 device create sim --finger right-index-finger"),
    # A clock that moves forward says that passcodes are refused still.
    (re.compile(r"(The clock of \S+ is [^.\n]* further\.) Passcodes are refused for [^:\n]*: only time itself ends that\."),
     r"\1"),
    # A name of the user's own is told that its beginning comes by itself.
    (re.compile(r"; 'user/' is put before it by itself"), ""),
    # Whose letters the name of a device has.
    (re.compile(r"1 to 64 of a to z, A to Z, 0 to 9, '-', '_' and '\.', and no sign first"),
     "1 to 64 letters, digits, '-', '_' or '.', a letter or digit first"),
    # It was no sentence.
    (re.compile(r"(Leave out --non-interactive to be asked, or) answer with --script"), r"\1 for --script"),
    # Who needs a person for an item is told how its application password is given.
    (re.compile(r" An item's application password is given with --application-password-fd\."), ""),
]

# What replies say since the first digests, besides what they said.
ADDED = {"authenticators", "asked"}
# Interfaces that there are since then.
ADDED_INTERFACES = {
    "io.localauth.Authenticators", "io.localauth.Files", "io.localauth.Backups", "io.localauth.KeyValues",
    "io.localauth.Documents", "io.localauth.Tables", "io.localauth.Sync",
}

# Policies that are shipped since then.
ADDED_POLICIES = {"second-factor", "work-laptop"}

# What tells items apart that are the same otherwise, by chance.
CHANCE = {"identifier", "persistentReference", "reference"}

# What a call says that needs a person and may ask nobody.
NEEDED = {"exit": 5, "laError": -1004, "message": "A person is needed and cannot be asked here.",
          "outcome": "notInteractive"}


class Plain:
    """The names that one transcript's identifiers and processes have got."""

    def __init__(self, paths, processes):
        self.paths, self.processes, self.names = paths, dict(processes), {}
        self.calls_for_all = set()

    def heard(self, done, heard):
        """What was heard; all items of a class refuse alike, whether the first is locked or needs a person.

        Hashes under a key that chance chose decide which is the first.
        """
        if isinstance(done, dict) and done.get("interactive") is False and list(done.get("query", ())) == ["class"]:
            self.calls_for_all.add(str(done["number"]))
        return self.value({number: [self.refusal(reply) if str(number) in self.calls_for_all else reply
                                    for reply in told] for number, told in heard.items()})

    @staticmethod
    def refusal(reply):
        answer = reply.get("answer", {}) if isinstance(reply, dict) else {}
        return {**reply, "answer": {**answer, **NEEDED}} if answer.get("outcome") == "itemLocked" else reply

    def token(self, found):
        token = found.group()
        if token in KNOWN or WORDS.fullmatch(token):
            return token
        return self.names.setdefault(token, f"#{len(self.names) + 1}")

    def beginning(self, found):
        """The name of what begins so, as a list of grants for people has it."""
        short = found.group()
        whole = next((token for token in self.names if token.startswith(short)), short)
        return self.names.setdefault(whole, f"#{len(self.names) + 1}") + "~"

    def process(self, number):
        return self.processes.setdefault(number, f"P{len(self.processes) + 1}")

    def assertion(self, found):
        """What an assertion claims; that nobody else has signed it, other tests see."""
        parts = [part + "=" * (-len(part) % 4) for part in found.group().split(".")[:2]]
        return json.dumps([self.value(json.loads(base64.urlsafe_b64decode(part))) for part in parts], sort_keys=True)

    def named_first(self, keys):
        """Keys by their names: those made in one millisecond come in the order of identifiers that chance chose."""
        order = {token: number for number, token in enumerate(self.names)}
        return sorted(keys, key=lambda key: order.get(key.get("kid"), len(order)) if isinstance(key, dict) else 0)

    def text(self, text):
        for path, name in self.paths:
            text = text.replace(path, name)
        for old, new in RENAMED:
            text = old.sub(new, text)
        if "eyJ" in text:
            text = JWT.sub(self.assertion, text)
        text = TOKEN.sub(self.token, text)
        text = VERSION.sub("", text)
        text = TERMINAL.sub("pts/0", text)
        text = SHORT.sub(self.beginning, text)
        return PROCESS.sub(lambda found: f"{found.group(1)} {self.process(int(found.group(2)))}", text)

    def value(self, value, key=""):
        if key in VARYING:
            return "VARYING"
        if key in PROCESSES and isinstance(value, int):
            return self.process(value)
        if isinstance(value, dict):
            if value.get("outcome") == "passcodeThrottled" and value.get("method") == "applicationPassword":
                # The same mistake as in RENAMED: named for an item that has no application password.
                value = {**value, "method": ""}
            return {name: self.value(value[name], name) for name in sorted(value, key=str) if name not in ADDED}
        if isinstance(value, (list, tuple)):
            value = in_order(value) if key == "items" else self.named_first(value) if key == "keys" else value
            value = [member for member in value if key != "interfaces" or member not in ADDED_INTERFACES]
            value = [member for member in value if not (isinstance(member, dict) and member.get("name") in ADDED_POLICIES)]
            return [self.value(member, key) for member in value]
        return self.text(value) if isinstance(value, str) else value


def in_order(items):
    """Items of a keychain by what they are: they are found in the order of hashes under a key that chance chose."""
    def what(item):
        return json.dumps({name: value for name, value in item.items() if name not in CHANCE}, sort_keys=True)
    return sorted(items, key=what) if all("identifier" in item for item in items) else items
