"""A program in the daemon's place, for tests: it listens at one socket, asks the daemon at another, and
passes on what both say, changed.

usage: daemon-relay.py LISTEN DAEMON PATTERN REPLACEMENT   what is asked is changed
       daemon-relay.py LISTEN DAEMON replay                each assertion is the first one
"""

import re
import socket
import sys
import threading

listening, daemon, *change = sys.argv[1:]
first = []


def ask(message):
    return message if change == ["replay"] else re.sub(change[0], change[1], message)


def answer(message):
    if change != ["replay"]:
        return message
    found = re.search('"assertion":"([^"]*)"', message)
    if not found:
        return message
    first.append(found[1])
    return message.replace(found[1], first[0])


def copy(source, target, edit):
    rest = b""
    while data := source.recv(65536):
        *whole, rest = (rest + data).split(b"\0")
        for message in whole:
            target.sendall(edit(message.decode()).encode() + b"\0")
    target.shutdown(socket.SHUT_WR)


server = socket.socket(socket.AF_UNIX)
server.bind(listening)
server.listen()
print("listening on", listening, flush=True)
while True:
    client, _ = server.accept()
    service = socket.socket(socket.AF_UNIX)
    service.connect(daemon)
    for ends in ((client, service, ask), (service, client, answer)):
        threading.Thread(target=copy, args=ends, daemon=True).start()
