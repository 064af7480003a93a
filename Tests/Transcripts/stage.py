"""What a daemon meets: its time, its judge and its disk, which move when the transcript says so."""

import contextlib
import ctypes
import mmap
import os
import platform
import shutil
import struct
import subprocess
import time
from pathlib import Path

JUDGE, DISK, MIRROR = GATES = range(3)
# Where each number is in the memory that stage.c describes.
NOW, CAME, PASSES, WORKERS, WORKER = 0, 8, 20, 32, 36
WORKERS_MAX = 256
SIZE = WORKER + 4 * WORKERS_MAX
EVERYBODY = 2**32 - 1
# futex(2) has no name in the C library.
FUTEX, FUTEX_WAKE = {"x86_64": 202, "aarch64": 98}[platform.machine()], 1
SYSTEM = ctypes.CDLL(None)
# Seconds after which a daemon that is still at it hangs.
PATIENCE = 60


def build(directory):
    """Compiles what is loaded before daemons and the PAM module, and describes its services; their paths."""
    here, compiler = Path(__file__).parent, shutil.which("cc") or "clang"
    for name in ("stage", "module"):
        library = f"{directory}/{name}.so"
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, here / f"{name}.c"], check=True)
    services = f"{directory}/pam.d"
    os.mkdir(services, 0o755)
    for service, word in (("asks", ""), ("asks-twice", "code")):
        with open(f"{services}/{service}", "w") as file:
            file.write(f"auth required {directory}/module.so {word}\naccount required {directory}/module.so\n")
    return f"{directory}/stage.so", services


class Stage:
    """The memory that a transcript and its daemon share, in a file beside the daemon's home."""

    def __init__(self, home):
        self.file = open(f"{home}.stage", "w+b")
        self.file.truncate(SIZE)
        self.memory = mmap.mmap(self.file.fileno(), SIZE)

        self.held = set()

    def number(self, place, form="I"):
        return struct.unpack_from("=" + form, self.memory, place)[0]

    def set(self, place, number, form="I"):
        struct.pack_into("=" + form, self.memory, place, number)

    def advance(self, milliseconds):
        """Lets time pass, which the daemon notices when it next waits."""
        self.set(NOW, self.number(NOW, "q") + milliseconds * 1_000_000, "q")

    def came(self, gate):
        return self.number(CAME + 4 * gate)

    def let_pass(self, gate, number):
        self.set(PASSES + 4 * gate, number)
        word = ctypes.c_uint32.from_buffer(self.memory, PASSES + 4 * gate)
        SYSTEM.syscall(FUTEX, ctypes.byref(word), FUTEX_WAKE, 2**31 - 1)

    def open(self):
        """Lets everybody pass from now on, as while the daemon starts or ends."""
        for gate in GATES:
            self.let_pass(gate, EVERYBODY)

    def close(self):
        for gate in GATES:
            self.let_pass(gate, self.came(gate))

    def let_one_pass(self):
        """Lets whoever waits pass, the disk before the judge, which takes longer; False where nobody waits."""
        for gate in (DISK, MIRROR, JUDGE):
            passes = self.number(PASSES + 4 * gate)
            if gate not in self.held and passes < self.came(gate):
                self.let_pass(gate, passes + 1)
                return True
        return False

    @property
    def syncs(self):
        """How often something was brought to the disk."""
        return self.came(DISK) + self.came(MIRROR)

    @property
    def workers(self):
        """The processes that the daemon has started."""
        count = min(self.number(WORKERS), WORKERS_MAX)
        return list(struct.unpack_from(f"={count}i", self.memory, WORKER))

    def end(self):
        self.file.close()


class Watch:
    """What the threads of some processes do, by files of the kernel's that stay open."""

    def __init__(self):
        self.files = {}

    def files_of(self, thread):
        if thread not in self.files:
            self.files[thread] = [os.open(f"{thread}/{name}", os.O_RDONLY) for name in ("stat", "schedstat")]
        return self.files[thread]

    def standing(self, processes):
        """The state of each thread, and how often it has run."""
        told = []
        for process in processes:
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                for thread in os.listdir(f"/proc/{process}/task"):
                    told += self.thread(f"/proc/{process}/task/{thread}")
        return told

    def thread(self, thread):
        try:
            stat, runs = (os.pread(file, 1024, 0) for file in self.files_of(thread))
        except (FileNotFoundError, ProcessLookupError):
            self.forget(thread)
            return []
        return [(thread, stat[stat.rindex(b")") + 2:][:1], runs[runs.rindex(b" "):])]

    def forget(self, thread):
        for file in self.files.pop(thread, []):
            os.close(file)

    def settle(self, processes):
        """Waits until every thread of the processes sleeps and none has woken another meanwhile.

        Whoever wakes a thread makes it runnable at once, so nothing is on its way then but what a clock brings.
        """
        limit = time.monotonic() + PATIENCE
        before = None
        while True:
            now = self.standing(processes())
            if all(state in b"SZX" for _, state, _ in now):
                if now == before:
                    return
                before = now
                continue
            before = None
            if time.monotonic() > limit:
                raise TimeoutError(f"still at it after {PATIENCE} s: {now}")
            time.sleep(0.0003)

    def end(self):
        for thread in list(self.files):
            self.forget(thread)
