"""A dialog in the place of a desktop's, for tests: it shows what polkit's helper says, and types to it what is typed here.
The end of what is typed closes it. It does not wait for a key when the helper has ended.

usage: polkit-dialog.py run HELPER USER        starts the helper
       polkit-dialog.py connect SOCKET USER    connects to the one that listens for helpers
"""

import os
import select
import socket
import subprocess
import sys

way, place, user = sys.argv[1:]
if way == "run":
    helper = subprocess.Popen([place, user], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    writing, reading = helper.stdin.fileno(), helper.stdout.fileno()
    os.write(writing, b"a cookie\n")
else:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(place)
    writing = reading = connection.fileno()
    os.write(writing, user.encode() + b"\na cookie\n")

while True:
    ready = select.select([reading, 0], [], [])[0]
    if reading in ready:
        said = os.read(reading, 4096)
        if not said:
            print("END", flush=True)
            break
        print(said.decode(), end="", flush=True)
    if 0 in ready:
        typed = os.read(0, 4096)
        if not typed:
            break
        os.write(writing, typed)
