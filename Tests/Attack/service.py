"""The service of the system and root's PAM workers, each at a socket as systemd would hand it over."""

import os
import socket
import subprocess
import time

from peer import Gone, Peer
from place import SERVICE
from rig import ENDS_WITH_US


class Service:
    """`localauthd --system` as an account without rights, with its state in `work`/state."""

    def __init__(self, programs, work):
        self.programs, self.work = programs, work
        self.socket, self.pam_socket = (os.path.join(work, name) for name in ("socket", "pam-socket"))
        self.log = os.path.join(work, "log")
        os.makedirs(os.path.join(work, "state"), mode=0o700, exist_ok=True)
        os.chown(os.path.join(work, "state"), SERVICE, SERVICE)

    def start(self):
        worker = [*ENDS_WITH_US, os.path.join(self.programs, "localauth-pam-worker"), "--listen",
                  "--daemon", str(SERVICE), "--service", "localauth", "--confdir", "/mnt/pam/services"]
        daemon = [*ENDS_WITH_US, f"--reuid={SERVICE}", f"--regid={SERVICE}", "--clear-groups",
                  os.path.join(self.programs, "localauthd"), "--system", "--home", os.path.join(self.work, "state"),
                  "--pam-socket", self.pam_socket, "--pam-confdir", "/mnt/pam/services",
                  "--administration", os.path.join(self.work, "administration.json"),
                  "--journal-socket", os.path.join(self.work, "no-journal")]
        self.worker = self.spawn(worker, self.pam_socket)
        self.process = self.spawn(daemon, self.socket)

    def spawn(self, command, path):
        if os.path.exists(path):
            os.remove(path)
        with socket.socket(socket.AF_UNIX) as listener, open(self.log, "ab") as log:
            listener.bind(path)
            os.chmod(path, 0o666)
            listener.listen(256)

            number = listener.fileno()
            move = "" if number == 3 else f"3<&{number} {number}<&-"
            return subprocess.Popen(
                ["/bin/bash", "-c", f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@" {move}', *command],
                pass_fds=[number], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})

    def connect(self):
        return Peer(self.socket)

    def kill(self):
        for process in (self.process, self.worker):
            process.kill()
            process.wait()

    def has_crashed(self):
        """Whether either ended though nobody ended it; a moment is given to a worker that is ending."""
        try:
            self.connect().call("org.varlink.service.GetInfo")
        except Gone:
            time.sleep(0.5)
        return self.process.poll() is not None or self.worker.poll() is not None

    def errors(self):
        with open(self.log, errors="replace") as log:
            return log.read().strip().splitlines()[-2:]

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
