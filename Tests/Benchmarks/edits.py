#!/usr/bin/env python3
"""How long an edit on one device takes until another one has it: edits.py SOCKET SOCKET DEVICE COUNT

Prints the median in milliseconds. Each look is a call of the other device's daemon, on a connection that is open.
"""

import base64
import json
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
        parameters |= {"device": self.device, "allowSimulated": True, "interactive": False}
        message = {"method": "io.localauth.Keychain." + method, "parameters": parameters}
        self.socket.sendall(json.dumps(message).encode() + b"\0")
        while b"\0" not in self.waiting:
            data = self.socket.recv(65536)
            if not data:
                sys.exit("edits.py: the daemon closed the connection")
            self.waiting += data
        line, _, self.waiting = self.waiting.partition(b"\0")
        return json.loads(line)

    def secret(self):
        answer = self.call("Copy", query=QUERY | {"r_Data": True}).get("parameters", {}).get("answer", {})
        items = answer.get("items", [])
        return base64.b64decode(items[0]["data"]) if items else None


def main(here, there, device, count):
    one, other = Daemon(here, device), Daemon(there, device)
    one.call("Add", query=QUERY, data=base64.b64encode(b"0").decode())
    times = []
    for number in range(int(count) + 1):
        # Others are told once a second at most, and an edit that comes alone is what a person waits for.
        time.sleep(1.2)
        secret = f"secret {number}".encode()
        begun = time.monotonic()
        reply = one.call("Update", query=QUERY, changes={}, data=base64.b64encode(secret).decode())
        if "error" in reply:
            sys.exit(f"edits.py: {reply}")
        while other.secret() != secret:
            if time.monotonic() > begun + 100:
                sys.exit("edits.py: the edit did not arrive")
        times.append((time.monotonic() - begun) * 1000)
    # The first one warms up.
    print(statistics.median(times[1:]))


main(*sys.argv[1:])
