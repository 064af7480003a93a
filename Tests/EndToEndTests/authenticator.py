#!/usr/bin/env python3
"""An authenticator that keeps the rules but for one: authenticator.py MODE. `good` keeps all of them.

Asks for a text; the right answer is `right`, once for each attempt.
"""

import json
import os
import socket
import sys
import threading
import time

MODE = sys.argv[1]
NAME = "io.localauth.Authenticator."
lock = threading.Lock()
open_attempts = {}
answered_before = set()
changes = []
is_asked, has_told = threading.Event(), threading.Event()


def frames(connection):
    """The messages of a connection; a frame that is too long ends it."""
    buffer = b""
    while chunk := connection.recv(4096):
        buffer += chunk
        while b"\0" in buffer:
            frame, buffer = buffer.split(b"\0", 1)
            yield json.loads(frame)
        if len(buffer) > 16384:
            return


class Caller:
    def __init__(self, connection):
        self.connection = connection

    def say(self, parameters, continues=False):
        message = {"parameters": parameters} | ({"continues": True} if continues else {})
        self.connection.sendall(json.dumps(message).encode() + b"\0")

    def fail(self, error, **parameters):
        self.connection.sendall(json.dumps({"error": error, "parameters": parameters}).encode() + b"\0")


def describe(caller, parameters):
    caller.say({
        "version": "1", "kind": "key" if MODE == "other-kind" else "code", "asks": "text", "reportsPresence": False,
        "simulated": MODE == "claims-simulated"})


def watch(caller, parameters):
    caller.say({"state": "busy" if MODE == "busy" else "available"}, continues=True)
    if MODE == "restless":
        while True:
            caller.say({"state": "available"}, continues=True)
    if MODE == "changes-while-asked":
        is_asked.wait()
        caller.say({"state": "available"}, continues=True)
        has_told.set()
    caller.connection.recv(1)


def enrolled(caller, parameters):
    if MODE == "changes-while-asked" and not has_told.is_set():
        is_asked.set()
        has_told.wait()
        return caller.fail(NAME + "Unavailable", message="It could not be read.")
    if MODE == "unreadable":
        return caller.fail(NAME + "Unavailable", message="It cannot be read.")
    if MODE == "many-labels":
        return caller.say({"labels": ["label"] * 4000, "setToken": "1"})
    if MODE == "dies-when-asked-again":
        with lock:
            changes.append(1)
        if len(changes) > 1:
            os._exit(5)
    if MODE == "changes-its-set":
        with lock:
            changes.append(1)
        return caller.say({"labels": ["one"], "setToken": str(len(changes))})
    known = MODE == "knows-everybody" or not parameters["user"].startswith("no-such")
    caller.say({"labels": ["one"] if known else [], "setToken": "1"})


def arm(caller, parameters):
    attempt = parameters["attempt"]
    verdict = {"attempt": attempt, "match": False}
    if parameters["user"].startswith("no-such") and MODE != "knows-everybody":
        return caller.fail(NAME + "Unavailable", message="Nobody.")
    if MODE == "silent":
        return caller.connection.recv(1)
    if MODE == "unarmed":
        return caller.say({"question": {"text": "Text:", "echoes": True}}, continues=True)
    if MODE == "refused-early":
        return caller.fail(NAME + "AccountRefused", message="The account has expired.")
    if MODE == "early":
        return caller.say({"verdict": verdict | {"match": True}})
    if MODE == "crash":
        os._exit(3)
    caller.say({"armed": True}, continues=True)
    if MODE == "flood":
        return caller.connection.sendall(b'{"parameters": "' + b"x" * 10_000_000 + b'"}\0')
    if MODE == "many-words":
        for _ in range(70):
            caller.say({"notice": {"kind": "info", "text": "still here"}}, continues=True)
    if MODE == "escapes":
        caller.say({"notice": {"kind": "info", "text": "\x1b[2J"}}, continues=True)
    if MODE == "account-refused":
        return caller.fail(NAME + "AccountRefused", message="The code is right, but the account has expired.")
    if MODE == "yes-unasked":
        return caller.say({"verdict": verdict | {"match": True}})
    event = threading.Event()
    with lock:
        open_attempts[attempt] = [event, None]
    try:
        ask(caller, attempt, event, verdict)
    finally:
        with lock:
            if MODE != "after-cancel":
                open_attempts.pop(attempt, None)


def ask(caller, attempt, event, verdict):
    caller.say({"question": {"text": "Text:", "echoes": True}}, continues=True)
    if MODE == "impatient":
        return caller.say({"verdict": verdict | {"match": True}})
    threading.Thread(target=closed, args=(caller, event), daemon=True).start()
    event.wait()
    with lock:
        answer = open_attempts[attempt][1]
    if answer is None:
        return
    match = answer == "right" and answer not in answered_before or MODE == "always-yes"
    if MODE not in ("replay", "always-yes"):
        answered_before.add(answer)
    verdict["match"] = match
    if MODE == "other-attempt":
        verdict["attempt"] = "0" * 32
    caller.say({"verdict": verdict})
    if MODE == "twice":
        caller.say({"verdict": verdict | {"match": True}})
        caller.connection.recv(1)


def closed(caller, event):
    """Ends an attempt whose connection was closed."""
    try:
        if not caller.connection.recv(1):
            event.set()
    except OSError:
        event.set()


def answer(caller, parameters):
    with lock:
        known = open_attempts.get(parameters["attempt"])
        if known is None and MODE == "any-attempt":
            known = next(iter(open_attempts.values()), None)
        if known is not None:
            known[1] = parameters["answer"]
    if known is None:
        return caller.fail(NAME + "NoSuchAttempt")
    known[0].set()
    caller.say({})


METHODS = {NAME + "Describe": describe, NAME + "Watch": watch, NAME + "Enrolled": enrolled, NAME + "Arm": arm,
           NAME + "Answer": answer}


def serve(connection):
    caller = Caller(connection)
    try:
        for call in frames(connection):
            if MODE == "slow-description" and call["method"].endswith("Describe"):
                time.sleep(3600)
            method = METHODS.get(call["method"])
            if method is None:
                caller.fail("org.varlink.service.MethodNotFound", method=call["method"])
            else:
                method(caller, call.get("parameters", {}))
    except OSError:
        pass
    except (ValueError, KeyError, TypeError):
        if MODE == "fragile":
            os._exit(4)
    finally:
        connection.close()


def main():
    listener = socket.socket(fileno=3)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


main()
