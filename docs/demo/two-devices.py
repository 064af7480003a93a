#!/usr/bin/env python3
"""Plays docs/two-devices.md with real programs: two-devices.py BINDIR [--check]

The page shows what is typed at a hub and at two devices, and what they say. Each has a home, a daemon and a terminal of its
own here, and the hub is a PostgreSQL server on a socket. Without --check the page gets what the programs say now; with
--check this exits with 1 where they say something else than the page.

A block of the page begins with ```console NAME. Its first line is a prompt and a command; if the command before still runs
in that terminal, the block shows what that says next. A block ends at its last line, or else with its command.
"""

import contextlib
import difflib
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DEMO = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(DEMO, "..", "images"))
from screens import Terminal, run  # noqa: E402

PAGE = os.path.join(DEMO, "..", "two-devices.md")
# A block of a terminal, or what happens to a device meanwhile.
PART = re.compile(r"(?<=^```console )(\w+)\n(.*?)(?=^```$)|^<!-- (\w+) (leaves|is back on) the network -->$", re.M | re.S)
COLUMNS, ROWS, PATIENCE_SECONDS = 240, 300, 60
PASSCODE, PASSWORD = "2468", "of-the-administrator"
SECRETS = ["correct horse", "battery staple"]
SERVER = "/run/postgresql"
CODE = re.compile(r"\b[0-9A-Z]{4,6}(?:-[0-9A-Z]{1,6}){3,}\b")
# What differs from run to run, and what the page shows for it.
STAND_INS = [
    (CODE, "K7Q2M-..."),
    (r"\b20\d\d-\d\d-\d\dT[\d:]+Z", "2026-12-01T10:24:31Z"),
    (r"\(\S+/authctl, process \d+\)", "(/usr/local/bin/authctl, process 4711)"),
    (r"localauth_[0-9a-f]{32}", "localauth_91d0..."),
    (r"\b[0-9a-f]{32}\b", "91d0..."),
    (r"\b\d[\d,.]* (bytes|KiB|MiB)\b", "12 KiB"),
]
# Words to compare and short names, of which the same ones stay the same.
WORD = "[^aeiou\\W][aeiou][^aeiou\\W][aeiou][^aeiou\\W]"
WORDS, NAMES = re.compile(r"\b%s(?: %s){5,7}\b" % (WORD, WORD)), re.compile(r"\b[0-9a-f]{8}\b")
SAMPLE = ("dubip nokoz mamok zizuz kavoz babin lofut hisav rulos ginim gatug jajos difor putag mohup lafiz nupuj bihus nogap "
          "tolob vigug hizot zutil vajal rogug natan gokan dilom vonob sorup").split()


class StandIns:
    """What the page shows for what differs from run to run."""

    def __init__(self, folder):
        self.folder, self.seen = folder, {}

    def public(self, line):
        line = line.replace(self.folder + "/socket", SERVER)
        for pattern, stand_in in STAND_INS:
            line = re.sub(pattern, stand_in, line)
        line = WORDS.sub(self.words, line)
        return NAMES.sub(lambda match: "%08x" % (0x5c0ffee1 + 0x1a2b3c5d * self.number(match[0]) & 0xFFFFFFFF), line)

    def number(self, text):
        return self.seen.setdefault(text, len(self.seen))

    def words(self, match):
        number = self.number(match[0])
        # Steps that have no divisor in common with the length.
        step = [1, 7, 11, 13, 17, 19, 23, 29][number % 8]
        return " ".join(SAMPLE[(number + place * step) % len(SAMPLE)] for place in range(len(match[0].split())))


def canonical(line):
    """A line of the page without what depends on how fast the devices are."""
    return re.sub(r"\s+", " ", line.replace("not heard yet", "heard 2026-12-01T10:24:31Z")).strip()


class Person:
    """Somebody at a terminal, who answers what it asks."""

    def __init__(self, name, programs, folder, stand_ins):
        self.name, self.folder, self.stand_ins, self.past, self.typed = name, folder, stand_ins, [], ""
        home = os.path.join(folder, name)
        os.makedirs(home)
        self.environment = {
            "PATH": programs + ":/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8", "LOCALAUTH_DEVICE": name, "LOCALAUTH_ALLOW_SIMULATED": "1",
            "LOCALAUTH_HOME": os.path.join(home, "state"), "PGPASSFILE": os.path.join(folder, "passwords"),
        }
        self.terminal = Terminal(dict(self.environment, PROMPT_COMMAND="PS1='%s$ '" % name), COLUMNS, ROWS)
        self.prompt = name + "$"
        self.terminal.wait(r"(?m)^%s$" % re.escape(self.prompt))
        self.secrets = iter(SECRETS)
        # What it is asked, and what is typed then. The code is the one that somebody was shown last.
        self.answers = [
            (r"again:$", lambda codes: self.typed),
            (r"^Secret.*:$", lambda codes: next(self.secrets)),
            (r"[Pp]asscode.*:$", lambda codes: PASSCODE),
            (r"[Cc]ode.*:$", lambda codes: codes[-1]),
            (r"[Rr]ecovery key.*:$", lambda codes: codes[-1]),
            (r"y or n:$", lambda codes: "y"),
            (r"^Esc or q: cancel", self.touch),
        ]

    def play(self, block, codes):
        """What the terminal shows for a block of the page."""
        lines = block.rstrip().splitlines()
        begins = 1 if lines and lines[0].startswith(self.prompt) else 0
        if begins:
            command = lines[0].removeprefix(self.prompt).strip()
            self.terminal.type(command.replace(SERVER, self.folder + "/socket") + "\n")
        deadline, answered = time.monotonic() + PATIENCE_SECONDS, None
        while time.monotonic() < deadline:
            self.terminal.read(0.05)
            seen = self.seen()
            shown = [canonical(self.stand_ins.public(line)) for line in seen]
            if len(lines) > begins and canonical(lines[-1]) in shown[begins:]:
                seen = seen[:shown.index(canonical(lines[-1]), begins) + 1]
                break
            if seen and seen[-1] == self.prompt and len(seen) > begins:
                seen.pop()
                break
            answered = self.answer(seen, answered, codes)
        else:
            sys.exit("two-devices.py: %s never came to the end of this:\n%s\nIt says:\n%s" % (self.name, block, "\n".join(self.seen())))
        self.past += seen
        codes += [code for line in seen[1:] for code in CODE.findall(line) if "code" not in line.lower()]
        # A blank line at the end of a block may come with the next one.
        return [self.stand_ins.public(line) for line in itertools.dropwhile(lambda line: not line, seen)]

    def answer(self, seen, answered, codes):
        """Types what the last line asks for, once; says which line was answered."""
        line = (len(seen), re.sub(r"\d", "", seen[-1]) if seen else "")
        if line != answered:
            for pattern, typed in self.answers:
                if re.search(pattern, line[1]):
                    self.typed = typed(codes)
                    self.terminal.type(self.typed and self.typed + "\n")
                    return line
        return answered

    def touch(self, _):
        """Touches the sensor, and types nothing."""
        run(["authctl", "sensor", "touch", "right-index", "--wait"], self.environment)
        return ""

    def seen(self):
        """What no block has shown yet: a prompt that is gone gives its lines to what comes."""
        lines = self.terminal.text()
        while lines and not lines[-1]:
            lines.pop()
        same = 0
        while same < min(len(lines), len(self.past)) and lines[same] == self.past[same]:
            same += 1
        del self.past[same:]
        return lines[same:]

    def daemon(self):
        return json.loads(run(["authctl", "--json", "status"], self.environment))["daemon"]["pid"]

    def signal_worker(self, number):
        """Stops the program that reaches the hub, or lets it go on."""
        daemon = self.daemon()
        with open("/proc/%d/task/%d/children" % (daemon, daemon), encoding="ascii") as children:
            for child in children.read().split():
                with open("/proc/%s/comm" % child, encoding="ascii") as name:
                    if name.read().startswith("localauth-sync"):
                        os.kill(int(child), number)

    def leave(self):
        self.terminal.close()
        if os.path.exists(self.environment["LOCALAUTH_HOME"]):
            os.kill(self.daemon(), signal.SIGTERM)


@contextlib.contextmanager
def hub():
    """A directory with a PostgreSQL server on a socket in it, of an ordinary user."""
    folder = tempfile.mkdtemp(prefix="localauth-two.", dir="/tmp")
    os.chmod(folder, 0o755)
    versions = sorted(os.listdir("/usr/lib/postgresql"), key=int) if os.path.isdir("/usr/lib/postgresql") else []
    if not versions:
        print("The page of two devices is not played: PostgreSQL is missing; make setup installs it")
        sys.exit(0)
    programs = "/usr/lib/postgresql/%s/bin/" % versions[-1]
    account = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--"] if os.geteuid() == 0 else []
    for name, text in [("password", PASSWORD), ("passwords", "*:*:*:*:" + PASSWORD)]:
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    os.chmod(os.path.join(folder, "passwords"), 0o600)
    for name in ["data", "socket"]:
        os.mkdir(os.path.join(folder, name))
        if account:
            shutil.chown(os.path.join(folder, name), "postgres")
    data = os.path.join(folder, "data")
    subprocess.run(
        [*account, programs + "initdb", "--auth", "scram-sha-256", "--username", "postgres", "--pwfile", folder + "/password",
         "--pgdata", data], check=True, stdout=subprocess.DEVNULL)
    control = [*account, programs + "pg_ctl", "-D", data, "-s", "-w"]
    options = "-k %s/socket -c listen_addresses=" % folder
    subprocess.run([*control, "-l", data + "/log", "-o", options, "start"], check=True)
    try:
        subprocess.run(
            [programs + "createdb", "-h", folder + "/socket", "-U", "postgres", "localauth"], check=True,
            env={"PGPASSFILE": folder + "/passwords"})
        yield folder
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=True)
        shutil.rmtree(folder, ignore_errors=True)


def played(page, programs):
    """The page, with what the programs say now."""
    with hub() as folder, contextlib.ExitStack() as stack:
        people, codes, stand_ins = {}, [], StandIns(folder)

        def play(match):
            name, block, device, event = match.groups()
            if event:
                people[device].signal_worker(signal.SIGSTOP if event == "leaves" else signal.SIGCONT)
                return match[0]
            if name not in people:
                people[name] = Person(name, programs, folder, stand_ins)
                stack.callback(people[name].leave)
            return "%s\n%s\n" % (name, "\n".join(people[name].play(block, codes)))

        return PART.sub(play, page)


def main(programs, *options):
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    now = played(page, os.path.abspath(programs))
    if "--check" not in options:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(now)
        return
    texts = [list(map(canonical, text.splitlines())) for text in [page, now]]
    if texts[0] != texts[1]:
        sys.exit("docs/two-devices.md is out of date: make pictures\n" + "\n".join(difflib.unified_diff(*texts, lineterm="")))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
