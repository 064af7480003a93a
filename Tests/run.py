"""Runs a command that runs tests, and ends it when no test has ended for a while: run.py SILENCE COMMAND...

SILENCE is in seconds; the runner buffers what it says. All tests count as started from the beginning, so a limit on one test would be one on the run:
what shows that one hangs is that no other ends. Every half minute a line says how far the run is. At the end it says
what failed, and the runner's own summary last.
"""

import os
import re
import selectors
import signal
import subprocess
import sys
import time

STARTED = re.compile(r"^◇ Test (\S+?\(.*?\)) started")
ENDED = re.compile(r"^[✔✘] Test (\S+?\(.*?\))(?: with .*)? (?:passed|failed) after|^➜ +Test (\S+?\(.*?\)) skipped")
PROGRESS = 30


class Run:
    def __init__(self, silence, command):
        self.silence = silence
        self.open = {}
        self.ended = 0
        self.failed = []
        self.summary = ""
        self.longest = 0
        self.begun = self.heard = self.told = time.monotonic()
        # A group of its own, so that what a test started ends with it.
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def follow(self):
        """Relays the output until the command ends; true when it had to be ended."""
        os.set_blocking(self.process.stdout.fileno(), False)
        selector = selectors.DefaultSelector()
        selector.register(self.process.stdout, selectors.EVENT_READ)
        rest = b""
        while True:
            if selector.select(timeout=1):
                data = self.process.stdout.read()
                if not data:
                    return False
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    self.hear(line.decode(errors="replace"))
            if self.is_hanging():
                self.end()
                return True
            self.tell()

    def is_hanging(self):
        silent = time.monotonic() - self.heard
        self.longest = max(self.longest, silent)
        # A compiler and the way to the first test may be silent for longer than a test.
        return silent > (self.silence if self.open else 5 * self.silence)

    def hear(self, line):
        print(line, flush=True)
        if not self.open:
            self.heard = time.monotonic()
        if found := STARTED.match(line):
            self.open[found[1]] = self.open.get(found[1], 0) + 1
        elif found := ENDED.match(line):
            self.heard = time.monotonic()
            self.ended += 1
            name = found[1] or found[2]
            self.open[name] = self.open.get(name, 1) - 1
            if not self.open[name]:
                del self.open[name]
        elif line.startswith("✘ Test ") and "recorded an issue" in line:
            self.heard = time.monotonic()
            self.failed.append(line[:400])
        if re.match(r"^[✔✘] Test run with ", line):
            self.summary = line

    def tell(self):
        now = time.monotonic()
        if now - self.told < PROGRESS or not self.open:
            return
        self.told = now
        left = sum(self.open.values())
        elapsed = round(now - self.begun)
        print(f"-- {self.ended} tests have ended, {left} have not; {elapsed} s, none for {round(self.longest)} s at most", flush=True)

    def end(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit():
        sys.exit("usage: run.py SILENCE COMMAND...")
    run = Run(int(sys.argv[1]), sys.argv[2:])
    if run.follow():
        print(f"No test has ended for {run.silence} seconds. These had not:", file=sys.stderr)
        for name in sorted(run.open)[:40]:
            print(f"  {name}", file=sys.stderr)
        sys.exit(124)
    status = run.process.wait()
    if status:
        print("What failed:", file=sys.stderr)
        for line in run.failed[-20:]:
            print(line, file=sys.stderr)
        print(run.summary, flush=True)
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
