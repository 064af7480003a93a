"""A small machine in a container: a real systemd, journal, logind and PAM, and no network but its own."""

import os
import re
import select
import shutil
import signal
import subprocess
import time

BOOT_LIMIT = 90
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}


class Machine:
    """`root` with everything that is written laid over it, in `work`."""

    def __init__(self, root, work):
        self.base, self.work = root, work
        self.root = os.path.join(work, "root")
        self.container = self.init = None

    def prepare(self, stage):
        """A fresh overlay with our files in it, as a package would put them."""
        shutil.rmtree(self.work, ignore_errors=True)
        for name in ("upper", "scratch", "root"):
            os.makedirs(os.path.join(self.work, name))
        layers = f"lowerdir={self.base},upperdir={self.work}/upper,workdir={self.work}/scratch"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, self.root], check=True)
        # The root has links for /bin and /lib, so each part is copied to where it is in truth.
        for source, target in (("usr", "usr"), ("etc", "etc"), ("lib", "usr/lib")):
            if os.path.exists(f"{stage}/{source}"):
                subprocess.run(["cp", "-a", f"{stage}/{source}/.", f"{self.root}/{target}/"], check=True)

    def boot(self):
        """Starts it and waits until every unit had its turn; what systemd says of itself then."""
        log = open(os.path.join(self.work, "console.log"), "ab")
        # nspawn refuses to lock memory unless it is told otherwise, which a machine does not.
        self.container = subprocess.Popen(
            # It ends with this program, however that ends.
            ["setpriv", "--pdeathsig", "KILL", "systemd-nspawn", "--quiet", "--register=no", "--keep-unit",
             "--private-network", "--system-call-filter=@memlock", "-D", self.root, "--boot", "--console=pipe"],
            env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}, stdin=subprocess.DEVNULL, stdout=log,
            stderr=log, start_new_session=True)
        log.close()
        limit = time.monotonic() + BOOT_LIMIT
        while time.monotonic() < limit:
            self.init = self.find_init()
            if self.init:
                state = self.run("systemctl", "is-system-running", "--wait").stdout.strip()
                if state in ("running", "degraded"):
                    return state
            if self.container.poll() is not None:
                break
            time.sleep(0.2)
        raise RuntimeError(f"no boot within {BOOT_LIMIT} seconds; see {self.work}/console.log")

    def find_init(self):
        """The first process of the container: the only child of systemd-nspawn."""
        inside = children(self.container.pid)
        return inside[0] if inside else None

    def inside(self, command):
        return ["nsenter", "-t", str(self.init), "-m", "-p", "-u", "-i", "-n", "-C", "--", *command]

    def run(self, *command, user=None, text=None, limit=60):
        """Runs a command inside, as root or as `user`."""
        if user:
            command = ["runuser", "-u", user, "--", *command]
        try:
            return subprocess.run(self.inside(command), input=text or "", stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, timeout=limit, env=ENVIRONMENT)
        except subprocess.TimeoutExpired as error:
            return subprocess.CompletedProcess(error.cmd, 124, "", "it did not end in time")

    def shell(self, script, **options):
        return self.run("sh", "-c", script, **options)

    def open(self, command, limit=60):
        """Begins a command that is typed to."""
        return Conversation(self.inside(command), limit)

    def converse(self, command, exchanges, limit=60):
        """Runs a command and types each line when what it belongs to was said; all that was said."""
        conversation = self.open(command, limit)
        for words, line in exchanges:
            if not conversation.heard(re.escape(words)):
                break
            conversation.say(line)
        return conversation.end()

    def start(self, script):
        """Begins something inside and does not wait for it."""
        return subprocess.Popen(self.inside(["sh", "-c", script]), stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def write(self, path, text, mode=0o644):
        """Writes a file of the machine, also before it was booted."""
        path = self.root + path
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)

    def cut_power(self):
        """Every process ends at once, and nobody is told."""
        os.kill(self.init, signal.SIGKILL)
        self.container.wait(30)

    def shut_down(self):
        if self.container and self.container.poll() is None:
            self.cut_power()
        subprocess.run(["umount", "-l", self.root], stderr=subprocess.DEVNULL)


class Conversation:
    """A command that is typed to; each thing that it is to say must come within `limit` seconds."""

    def __init__(self, command, limit=60):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, env=ENVIRONMENT)
        self.said, self.seen, self.limit = b"", 0, limit
        self.ends = time.monotonic() + limit

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def heard(self, pattern):
        """Waits for `pattern` after all that was heard before; the match, or None where it did not come."""
        self.ends = time.monotonic() + self.limit
        while time.monotonic() < self.ends:
            found = re.search(pattern.encode(), self.said[self.seen:])
            if found:
                self.seen += found.end()
                return found
            if not self.listen():
                return None
        return None

    def listen(self):
        """Waits a moment for more; False at the end."""
        if not select.select([self.process.stdout], [], [], 0.5)[0]:
            return True
        piece = os.read(self.process.stdout.fileno(), 65536)
        self.said += piece
        return bool(piece)

    def end(self):
        """Waits for the end, and kills it where that does not come; all that it said."""
        while time.monotonic() < self.ends and self.listen():
            pass
        self.process.kill()
        self.process.wait()
        return self.said.decode(errors="replace")


def children(process):
    """The processes that one started."""
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []
