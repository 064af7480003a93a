"""Runs `swift test`, and ends it when no test has ended for a while: run.py SILENCE COMMAND...

SILENCE is in seconds. All tests count as started from the beginning, so a limit on one test would be one on the run:
what shows that one hangs is that no other ends. The runner buffers its words for people, so what it tells programs is
followed, as it happens. Every half minute a line says how far the run is. At the end it says what failed, and the
runner's own summary last.
"""

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time

PROGRESS = 30


class Run:
    def __init__(self, silence, command, directory):
        self.silence = silence
        self.open = set()
        # The cases that run now: a test counts as open from the beginning, and a case only while it runs.
        self.running = {}
        self.ended = 0
        self.failed = {}
        self.summary = ""
        self.longest = 0
        self.begun = self.heard = self.told = time.monotonic()
        events = os.path.join(directory, "events")
        os.mkfifo(events)
        # Opened for writing too, or it would be at its end whenever no runner has it open.
        self.events = os.open(events, os.O_RDWR | os.O_NONBLOCK)
        # A group of its own, so that what a test started ends with it.
        self.process = subprocess.Popen(
            [*command, "--event-stream-output-path", events],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def follow(self):
        """Relays the output until the command ends; true when it had to be ended."""
        output = self.process.stdout.fileno()
        os.set_blocking(output, False)
        # The events first: at the end of the output none may be left.
        takers = {self.events: self.note, output: self.relay}
        rest = dict.fromkeys(takers, b"")
        with selectors.DefaultSelector() as selector:
            for descriptor in takers:
                selector.register(descriptor, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in selector.select(timeout=1)}
                for descriptor in takers if output in ready else ready:
                    try:
                        data = os.read(descriptor, 1 << 20)
                    except BlockingIOError:
                        continue
                    if not data:
                        return False
                    *lines, rest[descriptor] = (rest[descriptor] + data).split(b"\n")
                    for line in lines:
                        takers[descriptor](line.decode(errors="replace"))
                if self.is_hanging():
                    self.end()
                    return True
                self.tell()

    def is_hanging(self):
        silent = time.monotonic() - self.heard
        # A compiler and the way to the first test may be silent for longer than a test.
        if not self.open:
            return silent > 20 * self.silence
        self.longest = max(self.longest, silent)
        return silent > self.silence

    def relay(self, line):
        print(line, flush=True)
        if not self.open:
            self.heard = time.monotonic()
        if re.match(r"^[✔✘] Test run with ", line):
            self.summary = line

    def note(self, line):
        """Takes one line of the runner's event stream."""
        record = json.loads(line) if line else {}
        event, test = record.get("payload", {}), record.get("payload", {}).get("testID", "")
        if record.get("kind") != "event":
            return
        if event["kind"] == "testStarted":
            self.heard = time.monotonic()
            self.open.add(test)
        elif event["kind"] == "testCaseStarted":
            self.running[test] = self.running.get(test, 0) + 1
        elif event["kind"] in {"testEnded", "testCaseEnded", "testSkipped"}:
            self.heard = time.monotonic()
            if event["kind"] == "testCaseEnded":
                self.running[test] = self.running.get(test, 0) - 1
            else:
                self.ended += 1
                self.open.discard(test)
        elif event["kind"] == "issueRecorded" and not event.get("issue", {}).get("isKnown"):
            words = " ".join(message["text"] for message in event.get("messages", []))
            self.failed.setdefault(f"{test}: {words}"[:400])

    def tell(self):
        now = time.monotonic()
        if now - self.told < PROGRESS or not self.open:
            return
        self.told = now
        elapsed = round(now - self.begun)
        print(f"-- {self.ended} tests and suites have ended, {len(self.open)} have not; {elapsed} s, "
              f"none for {round(self.longest)} s at most", flush=True)

    def show_open(self):
        running = {name for name, count in self.running.items() if count > 0}
        for name in sorted(running or self.open)[:40]:
            print(f"  {name}", file=sys.stderr)

    def end(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit():
        sys.exit("usage: run.py SILENCE COMMAND...")
    with tempfile.TemporaryDirectory(prefix="tests.") as directory:
        run = Run(int(sys.argv[1]), sys.argv[2:], directory)
        if run.follow():
            print(f"No test has ended for {run.silence} seconds. These had not:", file=sys.stderr)
            run.show_open()
            sys.exit(124)
    status = run.process.wait()
    if status:
        if not run.summary:
            print("The runner itself ended while these were under way:", file=sys.stderr)
            run.show_open()
        if run.failed:
            print("What failed:", file=sys.stderr)
        for words in list(run.failed)[-20:]:
            print(f"  {words}", file=sys.stderr)
        print(run.summary, flush=True)
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
