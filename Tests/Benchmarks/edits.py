#!/usr/bin/env python3
"""How long an edit on one device takes until another one has it: edits.py SOCKET SOCKET DEVICE COUNT [values]

Prints the median in milliseconds, of an item or of a value of a key-value store. Each look is a call of the other
device's daemon, on a connection that is open.
"""

import base64
import json
import plistlib
import socket
import statistics
import sys
import time

QUERY = {"class": "genp", "acct": "bench", "svce": "edits", "sync": True}


class Daemon:
    def __init__(self, path, device):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.device, self.waiting = device, b""

    def call(self, method, **parameters):
        parameters |= {"device": self.device, "allowSimulated": True}
        message = {"method": "io.localauth." + method, "parameters": parameters}
        self.socket.sendall(json.dumps(message).encode() + b"\0")
        while b"\0" not in self.waiting:
            data = self.socket.recv(65536)
            if not data:
                sys.exit("edits.py: the daemon closed the connection")
            self.waiting += data
        line, _, self.waiting = self.waiting.partition(b"\0")
        reply = json.loads(line)
        if "error" in reply:
            sys.exit(f"edits.py: {method}: {reply}")
        return reply["parameters"]


def text(data):
    return base64.b64encode(data).decode()


class Item:
    def __init__(self, daemon):
        self.daemon = daemon

    def begin(self):
        self.daemon.call("Keychain.Add", query=QUERY, data=text(b"0"), interactive=False)

    def put(self, secret):
        self.daemon.call("Keychain.Update", query=QUERY, changes={}, data=text(secret), interactive=False)

    def get(self):
        answer = self.daemon.call("Keychain.Copy", query=QUERY | {"r_Data": True}, interactive=False).get("answer", {})
        items = answer.get("items", [])
        return base64.b64decode(items[0]["data"]) if items else None


class Value:
    def __init__(self, daemon):
        self.daemon = daemon

    def begin(self):
        self.put(b"0")

    def put(self, secret):
        value = text(plistlib.dumps(secret, fmt=plistlib.FMT_BINARY))
        self.daemon.call("KeyValues.Write", changes=[{"key": "bench", "value": value}])

    def get(self):
        values = self.daemon.call("KeyValues.Read", keys=["bench"])["values"]
        return plistlib.loads(base64.b64decode(values[0]["value"])) if values else None


def main(here, there, device, count, kind="items"):
    place = {"items": Item, "values": Value}[kind]
    one, other = place(Daemon(here, device)), place(Daemon(there, device))
    one.begin()
    times = []
    for number in range(int(count) + 1):
        # Others are told once a second at most, and an edit that comes alone is what a person waits for.
        time.sleep(1.2)
        secret = f"secret {number}".encode()
        begun = time.monotonic()
        one.put(secret)
        while other.get() != secret:
            if time.monotonic() > begun + 100:
                sys.exit("edits.py: the edit did not arrive")
        times.append((time.monotonic() - begun) * 1000)
    # The first one warms up.
    print(statistics.median(times[1:]))


main(*sys.argv[1:])
