"""What is under way at a daemon: calls on connections, and programs that call."""

import contextlib
import json
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "Attack"))

from peer import Peer  # noqa: E402


class Line:
    """One connection, with one call under way on it at most."""

    def __init__(self, end):
        self.socket, self.waiting, self.is_closed = end, b"", False

    def send(self, frame):
        with contextlib.suppress(OSError):
            self.socket.sendall(frame)

    def frames(self):
        """What has come; None at the end for a connection that the daemon closed."""
        while not self.is_closed:
            try:
                data = self.socket.recv(1 << 18, socket.MSG_DONTWAIT)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            self.waiting += data
            self.is_closed = not data
        *whole, self.waiting = self.waiting.split(b"\0")
        return [json.loads(frame) for frame in whole] + [None] * self.is_closed

    def close(self):
        self.is_closed = True
        self.socket.close()


class Call:
    """A call under way, or over."""

    def __init__(self, number, caller, line, method, parameters):
        self.number, self.caller, self.line = number, caller, line
        self.method, self.parameters, self.device = method, parameters, parameters.get("device")
        self.prompt, self.is_over, self.result = None, False, None

    def drain(self):
        """What has come since."""
        told = []
        for reply in self.line.frames():
            self.result = "closed" if reply is None else Peer.result(reply)
            self.is_over = reply is None or not reply.get("continues")
            told.append(self.result)
            if reply is not None:
                self.prompt = None if "dismissed" in self.result else self.result.get("prompt", self.prompt)
            if self.is_over:
                self.prompt = None
                break
        return told


class Program:
    """A run of `authctl`, which may wait for somebody."""

    prompt = None

    def __init__(self, number, command, environment, given):
        self.number, self.is_over, self.method, self.words = number, False, "authctl", command
        self.device = command[command.index("--device") + 1] if "--device" in command else None
        self.out, self.err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        with tempfile.TemporaryFile() as stdin:
            stdin.write(given.encode())
            stdin.seek(0)
            self.process = subprocess.Popen(command, stdin=stdin, stdout=self.out, stderr=self.err, env=environment,
                                            start_new_session=True)

    def drain(self):
        if self.is_over or self.process.poll() is None:
            return []
        self.is_over = True
        self.out.seek(0), self.err.seek(0)
        out = readable(self.out.read().decode())
        if "keychain" in self.words and isinstance(out, str):
            # A table of items, which are found in no order; its head comes first.
            out = "".join(sorted(out.splitlines(keepends=True)))
        return [{"exit": self.process.returncode, "out": out,
                 "err": self.err.read().decode()}]


def readable(text):
    """JSON as values, line by line, and anything else as it is."""
    try:
        return [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return text
