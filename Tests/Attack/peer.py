"""A Varlink client of one file: JSON and NUL over a Unix socket, and processes of other users."""

import json
import os
import socket
import traceback

AUTHENTICATION = "io.localauth.Authentication."
DEVICES = "io.localauth.Devices."
SENSOR = "io.localauth.Sensor."
KEYCHAIN = "io.localauth.Keychain."

# What says that a secret was looked at and found wrong.
JUDGED_WRONG = "authenticationFailed"


class Gone(Exception):
    """The daemon closed the connection."""


class Unanswered(Gone):
    """The daemon left a call without an answer for longer than anything takes."""


class Peer:
    """One connection. Every answer is a dictionary: `error` and its parameters, or a reply's."""

    def __init__(self, path, timeout=30):
        self.socket = socket.socket(socket.AF_UNIX)
        self.waiting, self.asked = b"", "nothing"
        try:
            # Without a time-out, which would make a full queue an error.
            self.socket.connect(path)
            self.socket.settimeout(timeout)
        except OSError as error:
            raise Gone(str(error)) from error

    def close(self):
        self.socket.close()

    def send(self, method, more=False, **parameters):
        self.asked = method
        message = {"method": method, "parameters": parameters}
        if more:
            message["more"] = True
        try:
            self.socket.sendall(json.dumps(message).encode() + b"\0")
        except OSError as error:
            raise Gone(str(error)) from error

    def receive(self):
        while b"\0" not in self.waiting:
            try:
                data = self.socket.recv(65536)
            except TimeoutError as error:
                raise Unanswered(f"no answer to {self.asked}") from error
            except OSError as error:
                raise Gone(str(error)) from error
            if not data:
                raise Gone("the connection was closed")
            self.waiting += data
        text, self.waiting = self.waiting.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        """One call and its one reply; an error has its name's last part as `error`."""
        self.send(method, **parameters)
        return self.result(self.receive())

    def stream(self, method, **parameters):
        """A call whose replies continue; all of them, the last one at the end."""
        self.send(method, more=True, **parameters)
        replies = []
        while True:
            reply = self.receive()
            replies.append(self.result(reply))
            if not reply.get("continues"):
                return replies

    @staticmethod
    def result(reply):
        result = dict(reply.get("parameters") or {})
        if "error" in reply:
            result["error"] = reply["error"].rsplit(".", 1)[-1]
        return result

    def evaluate(self, device, script, policy="passcode", **more):
        """The outcome of an evaluation that a script drives, and how many attempts were judged."""
        last = self.stream(
            AUTHENTICATION + "Evaluate", policy=policy, reason="an attack", device=device, script=script,
            scriptIsArgument=False, allowSimulated=True, **more)[-1]
        result = last.get("result", {})
        return result.get("outcome", last.get("error")), result.get("attempts", 0)

    def device(self, name="sim", **more):
        """What the daemon says of a device; None when it has none of that name."""
        reply = self.call(DEVICES + "Status", device=name, **more)
        return None if "error" in reply else reply["device"]

    def audit(self, name="sim", **more):
        return self.call(DEVICES + "Audit", device=name, limit=10000, **more).get("lines", [])


def judged(reply):
    """Whether a call that takes a secret was told that it is wrong."""
    return reply.get("error") == "Refused" and reply.get("outcome") == JUDGED_WRONG


def in_process(function, *arguments, user=None):
    """Runs it in a process of its own, as `user` where one is given; gives what it returns."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            if user is not None:
                os.setgroups([])
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
            answer = json.dumps(function(*arguments)).encode()
            with open(writing, "wb") as pipe:
                pipe.write(answer)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writing)
    with open(reading, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise RuntimeError(f"the process of user {user} failed with {status}")
    return json.loads(answer)
