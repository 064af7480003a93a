"""Calls to a daemon that are made one at a time, so that every reply follows from what was sent."""

import select
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "Attack"))

from peer import Gone, Peer  # noqa: E402
from rig import Daemon, create  # noqa: E402

BARRIER = "barrier"
SET = "io.localauth.Sensor.Set"
TOUCH = "io.localauth.Sensor.Touch"
REGISTER = "io.localauth.Agents.Register"
RESPOND = "io.localauth.Authentication.Respond"


class Stream:
    """A call that waits for a person, on a connection of its own."""

    def __init__(self, peer, method, parameters):
        self.peer, self.method, self.is_over, self.prompt = peer, method, False, None
        self.replies = []
        peer.send(method, more=True, **parameters)

    def next(self):
        reply = self.peer.receive()
        told = Peer.result(reply)
        self.replies.append(told)
        self.prompt = told.get("prompt") or self.prompt
        self.is_over = not reply.get("continues")
        return told

    def until(self, is_enough):
        """Reads on until a reply is enough, or the last."""
        while not self.is_over:
            if is_enough(self.next()):
                return

    def drain(self):
        """Reads what has come already."""
        while not self.is_over and (b"\0" in self.peer.waiting or select.select([self.peer.socket], [], [], 0)[0]):
            self.next()

    def take(self):
        told, self.replies = self.replies, []
        return told


class Driver:
    """One daemon with what is under way at it, and the transcript of what it said."""

    def __init__(self, programs, home):
        self.daemon = Daemon(programs, home)
        self.streams = []
        self.lines = []
        if not self.daemon.start():
            raise RuntimeError(f"localauthd does not start: {self.daemon.errors()}")
        self.peer = self.daemon.connect()
        create(self.peer, BARRIER)

    def note(self, what, told):
        self.lines.append([what, told])

    def call(self, method, **parameters):
        """A call with one reply, and what it made others hear."""
        self.note({"call": method, **parameters}, self.peer.call(method, **parameters))
        self.settle()

    def scripted(self, method, **parameters):
        """A call that a script answers to its end."""
        self.note({"stream": method, **parameters}, self.peer.stream(method, **parameters))
        self.settle()

    def ask(self, method, **parameters):
        """A call that a person is asked by; returns once it waits for somebody."""
        stream = Stream(self.daemon.connect(), method, parameters)
        stream.until(lambda told: "prompt" in told or "queued" in told or "registered" in told)
        self.streams.append(stream)
        self.note({"ask": method, **parameters}, stream.take())
        self.settle()

    @property
    def is_awaited(self):
        """Whether somebody is waited for, behind whom every other call would wait."""
        return any(stream.method != REGISTER for stream in self.streams)

    @property
    def asking(self):
        """What shows a prompt."""
        return [stream for stream in self.streams if stream.prompt and not stream.is_over]

    def respond(self, stream, **answer):
        """Answers a prompt, and waits for what comes of it."""
        reply = self.peer.call(RESPOND, nonce=stream.prompt["nonce"], **answer)
        self.note({"respond": answer}, reply)
        if "error" not in reply and not stream.is_over:
            stream.until(lambda told: "notice" in told or "dismissed" in told or has_moved_on(told, answer))
        self.settle()

    def leave(self, stream):
        """Closes a connection, which cancels what waits on it."""
        stream.peer.close()
        self.streams.remove(stream)
        self.note("leave", None)
        self.settle()

    def settle(self):
        """Everything that the last call brought about has been sent once a later call is answered."""
        # A commit of a device of its own comes back after those of the call, and what follows them is sent by then.
        for _ in range(2):
            self.peer.call(SET, device=BARRIER, key="enroll-stages", value="3")
        for stream in self.streams:
            stream.drain()
        for index, stream in enumerate(self.streams):
            if told := stream.take():
                self.note(f"heard by {index}", told)
        self.streams = [stream for stream in self.streams if not stream.is_over]
        self.note("guarded commits", self.guarded())

    def touch(self, stream, finger):
        """Lays a finger on the sensor of a prompt, and waits for what comes of it."""
        told = self.peer.call(TOUCH, device=stream.prompt["device"], finger=finger)
        self.note({"touch": finger}, told)
        if told.get("effect") in {"match", "miss"}:
            waiting = next(stream for stream in self.asking if stream.prompt["biometry"])
            waiting.until(lambda told: "notice" in told or "prompt" in told or "dismissed" in told)
        self.settle()

    def restart(self):
        """A loss of power, and a new start."""
        for stream in self.streams:
            stream.peer.close()
        self.streams = []
        self.daemon.kill()
        if not self.daemon.start():
            raise RuntimeError(f"localauthd does not start: {self.daemon.errors()}")
        self.peer = self.daemon.connect()
        self.note("restart", None)

    def guarded(self):
        """How many guarded commits there were: the number in the file beside the database."""
        with open(f"{self.daemon.home}/sequence", "rb") as file:
            record = file.read(16)
        return struct.unpack_from("<Q", record, 8)[0] if len(record) == 16 else 0

    def end(self):
        for stream in self.streams:
            stream.peer.close()
        if self.daemon.has_crashed:
            raise Gone(f"the daemon crashed: {self.daemon.errors()}")
        self.daemon.kill()


def has_moved_on(told, answer):
    """Whether a prompt asks for something else than before: while a passcode is judged, it is still shown."""
    return "prompt" in told and ("passcode" not in answer or not told["prompt"]["passcode"])
