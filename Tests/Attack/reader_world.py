"""A device whose fingers are judged by the real fprintd with a virtual reader, on a bus of its own."""

import json
import os
import socket
import subprocess
import threading
import time

from peer import AUTHENTICATION, DEVICES, SENSOR, Gone, Peer
from rig import ENDS_WITH_US, PASSCODE, Daemon

PYTHON = "/usr/bin/python3"
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../EndToEndTests/bus-world.py")
# The print that is enrolled, and one that is not.
RIGHT, WRONG = "one", "two"
DEVICE = "sim"
# Longer than anything rests before it is tried again: 30 seconds, and what it takes on a busy machine.
PATIENCE = 60


def is_possible():
    """Whether fprintd and what the bus needs are there."""
    programs = ["/usr/libexec/fprintd", "/usr/bin/dbus-daemon", PYTHON]
    return all(map(os.path.exists, programs)) and subprocess.run([PYTHON, "-c", "import gi"], check=False,
                                                                 stderr=subprocess.DEVNULL).returncode == 0


class Unready(Exception):
    """What should have become so did not."""


def wait_until(condition, what, seconds=PATIENCE):
    """Seconds that it took."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise Unready(f"not within {seconds} s: {what}")
        time.sleep(0.005)
    return time.monotonic() - began


class Bus:
    """The bus, on which fprintd is started by whoever calls it, and stand-ins for polkit and logind."""

    def __init__(self, directory):
        os.mkdir(directory)
        self.directory = directory
        reading, writing = os.pipe()
        serve = [*ENDS_WITH_US, PYTHON, SCRIPT, "serve", directory, "activated"]
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", f'exec "$0" "$@" 3>&{writing}', *serve], pass_fds=[writing],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with open(reading, "rb") as pipe:
            if pipe.read(1) == b"":
                raise Unready("a bus of its own")

    def tell(self, command):
        """Has it do something; None where that failed, and then why is in `failure`."""
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(self.directory + "/control")
            control.sendall(command.encode() + b"\n")
            with control.makefile() as reply:
                said = reply.read()
        self.failure = said if said.startswith("failed") else None
        return said if self.failure is None else None

    @property
    def is_left_open(self):
        """Whether fprintd has a reader that nobody holds and that it can open no more: see decision 37."""
        if self.tell("claim") is not None:
            self.tell("release")
            return False
        return "already been opened" in self.failure

    @property
    def needs_finger(self):
        return self.tell("needs") == "1"

    def end(self):
        self.process.terminate()
        self.process.wait()


class Evaluation(threading.Thread):
    """One evaluation that a person at the reader is asked for; it collects what is said."""

    def __init__(self, peer, reason):
        super().__init__(daemon=True)
        self.peer, self.reason = peer, reason
        self.outcome, self.misses, self.touched = None, 0, []
        self.peer.send(AUTHENTICATION + "Evaluate", more=True, policy="biometrics", reason=reason, device=DEVICE,
                       allowSimulated=True)
        self.start()

    def run(self):
        try:
            while self.outcome is None:
                reply = self.peer.receive()
                said = Peer.result(reply)
                self.misses += (said.get("notice") or {}).get("kind") == "miss"
                if not reply.get("continues"):
                    self.outcome = (said.get("result") or {}).get("outcome") or said.get("error") or "nothing"
        except (Gone, ValueError, OSError):
            self.outcome = "gone"

    @property
    def is_over(self):
        return self.outcome is not None

    def cancel(self):
        """Its caller vanishes."""
        self.peer.socket.shutdown(socket.SHUT_RDWR)
        self.join()


class Desk:
    """The device, with one finger enrolled, and all that it depends on."""

    def __init__(self, programs, work):
        self.bus = Bus(os.path.join(work, "bus"))
        manifests = os.path.join(work, "manifests")
        os.mkdir(manifests, 0o755)
        with open(os.path.join(manifests, "reader.json"), "w") as file:
            json.dump(self.manifest(programs), file)
        self.daemon = Daemon(programs, os.path.join(work, "home"), ["--authenticators", manifests])
        self.start()
        reply = self.call(DEVICES + "Create", device=DEVICE, sensor="none", passcode=PASSCODE)
        if "error" in reply:
            raise RuntimeError(f"no device: {reply}")
        self.enroll()

    def manifest(self, programs):
        return {"name": "reader", "summary": "Readers of an attack.", "kind": "fingerprint", "asks": "touch",
                "program": os.path.join(programs, "localauth-bus"), "amr": "fpt", "simulated": True,
                "presence": True, "arguments": ["--simulated", "--bus", f"unix:path={self.bus.directory}/bus"]}

    def start(self):
        if not self.daemon.start():
            raise RuntimeError(f"localauthd does not start: {self.daemon.errors()}")

    def restart(self):
        self.daemon.kill()
        self.start()

    def call(self, method, **parameters):
        peer = self.daemon.connect()
        try:
            return peer.call(method, **parameters)
        finally:
            peer.close()

    def enroll(self):
        wait_until(lambda: self.state()["biometry"] == "biometryNotEnrolled", "a reader")
        peer = self.daemon.connect()
        peer.send(SENSOR + "Enroll", more=True, device=DEVICE, finger="right-index", passcode=PASSCODE)
        peer.receive()
        while True:
            self.bus.tell(f"scan {RIGHT}")
            reply = peer.receive()
            if "error" in reply:
                raise RuntimeError(f"no finger: {reply}")
            if reply["parameters"].get("completed"):
                return peer.close()

    def state(self):
        return self.call(DEVICES + "Status", device=DEVICE)["device"]

    def prove_passcode(self):
        peer = self.daemon.connect()
        outcome, _ = peer.evaluate(DEVICE, f"passcode:{PASSCODE}")
        peer.close()
        return outcome

    def evaluate(self, reason):
        return Evaluation(self.daemon.connect(), reason)

    def touch(self, evaluation, name):
        """Lays a finger on the reader once it asks for one; False if it asks for none any more."""
        wait_until(lambda: evaluation.is_over or self.bus.needs_finger, "a finger is asked for, or the end of it")
        if not self.bus.needs_finger or self.bus.tell(f"virtual SCAN {name}") is None:
            return False
        evaluation.touched.append(name)
        return True

    def outcome_of(self, reason):
        """How the evaluation with this reason ended, as the audit says."""
        lines = self.call(DEVICES + "Audit", device=DEVICE, limit=20).get("lines", [])
        said = [line.get("outcome") for line in lines if line.get("reason") == reason]
        return said[-1] if said else "nothing"

    @property
    def workers(self):
        """The processes of the program that speaks to fprintd."""
        said = subprocess.run(["pgrep", "-P", str(self.daemon.process.pid), "-f", "localauth-bus"],
                              stdout=subprocess.PIPE, text=True, check=False).stdout
        return [int(number) for number in said.split()]

    def end(self):
        self.daemon.kill()
        self.bus.end()
