"""A program that uses mounted files as any other, for tests.

usage: mounted-files.py random SEED STEPS MOUNT PLAIN    the same operations on both, compared after each
       mounted-files.py mapped FILE BACKING COMMAND...   a mapped file while COMMAND locks and unlocks the device
       mounted-files.py replaced FILE BACKING COMMAND... a file that COMMAND would replace behind a program that writes it
       mounted-files.py storm MOUNT ROUNDS COMMAND...    reads and writes while COMMAND locks and unlocks the device
       mounted-files.py memory MOUNT PROCESS COMMAND...  looks for content in the memory of the file system
       mounted-files.py crowd MOUNT COMMAND...           reads of locked files while programs that have them open end
       mounted-files.py whole MOUNT BACKING              what is checked of single calls
"""

import mmap
import os
import random
import signal
import subprocess
import sys
import threading
import time

LIMIT = 20


def until(what, condition):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            sys.exit("not within %d s: %s" % (LIMIT, what))


def number_of(call):
    """The error number of a call; 0 if it succeeds."""
    try:
        call()
    except OSError as error:
        return error.errno
    return 0


# Random operations


class Pair:
    """A mounted directory and a plain one, on which the same is done."""

    def __init__(self, seed, mount, plain):
        self.draw = random.Random(seed)
        self.roots = (mount, plain)
        self.names = ["a", "b", "c", "d/a", "d/b"]
        self.files = {}

    def both(self, call):
        """Does something in both; both succeed, or fail with the same number. Returns what came of it."""
        results = []
        for index in (0, 1):
            try:
                results.append(call(index))
            except OSError as error:
                results.append(error.errno)
        if results[0] != results[1]:
            raise AssertionError("mounted %.60r, plain %.60r" % tuple(results))
        return results[0]

    def path(self, index, name):
        return os.path.join(self.roots[index], name)

    def step(self):
        name = self.draw.choice(self.names)
        kinds = ["write"] * 6 + ["truncate", "truncate", "append", "read", "read", "rename", "unlink", "mapped", "directory", "close", "status"]
        kind = self.draw.choice(kinds)
        getattr(self, kind)(name)
        return "%s %s" % (kind, name)

    def content(self):
        size = self.draw.choice([1, 100, 4096, 16384, 16385, 50000])
        return self.draw.randbytes(self.draw.randrange(size) + 1)

    def offset(self):
        return self.draw.choice([0, self.draw.randrange(70000), 16384 * self.draw.randrange(4)])

    def within(self, name, flags, body):
        def call(index):
            file = os.open(self.path(index, name), flags, 0o644)
            try:
                return body(file)
            finally:
                os.close(file)
        return self.both(call)

    def write(self, name):
        content, offset = self.content(), self.offset()
        file = self.files.get(name)
        if file:
            self.both(lambda index: os.pwrite(file[index], content, offset))
        else:
            self.within(name, os.O_RDWR | os.O_CREAT, lambda file: os.pwrite(file, content, offset))

    def append(self, name):
        content = self.content()
        self.within(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, lambda file: os.write(file, content))

    def truncate(self, name):
        length = self.offset()
        kind = self.draw.randrange(3)
        if kind == 0:
            self.within(name, os.O_WRONLY | os.O_TRUNC, lambda file: 0)
        elif kind == 1:
            self.both(lambda index: os.truncate(self.path(index, name), length))
        else:
            self.within(name, os.O_RDWR, lambda file: os.posix_fallocate(file, length, 20000))

    def read(self, name):
        offset, count = self.offset(), self.draw.randrange(60000)
        self.within(name, os.O_RDONLY, lambda file: os.pread(file, count, offset))

    def mapped(self, name):
        content = self.content()

        def change(file):
            size = os.fstat(file).st_size
            if size == 0:
                return 0
            with mmap.mmap(file, 0) as pages:
                part = content[:size]
                pages[size - len(part):] = part
                return pages[:]
        self.within(name, os.O_RDWR, change)

    def rename(self, name):
        other = self.draw.choice(self.names)
        self.both(lambda index: os.rename(self.path(index, name), self.path(index, other)))
        self.forget(name)
        self.forget(other)

    def unlink(self, name):
        self.both(lambda index: os.unlink(self.path(index, name)))
        self.forget(name)

    def forget(self, name):
        """What is open is read once more under no name, or another one."""
        if file := self.files.pop(name, None):
            self.both(lambda index: os.pread(file[index], 1 << 20, 0))
            self.both(lambda index: os.close(file[index]))

    def directory(self, name):
        self.both(lambda index: sorted(os.listdir(self.path(index, "d"))))

    def status(self, name):
        def look(index):
            found = os.stat(self.path(index, name))
            return found.st_size, found.st_mode, found.st_nlink
        self.both(look)

    def close(self, name):
        self.forget(name)

    def compare(self):
        for name in self.names:
            self.within(name, os.O_RDONLY, lambda file: os.pread(file, 1 << 20, 0))


def open_both(pair, name):
    if name not in pair.files:
        files = [-1, -1]

        def call(index):
            files[index] = os.open(pair.path(index, name), os.O_RDWR)
            return 0
        if pair.both(call) == 0:
            pair.files[name] = files


def random_operations(seed, steps, mount, plain):
    pair = Pair(int(seed), mount, plain)
    pair.both(lambda index: os.mkdir(pair.path(index, "d")))
    done = []
    try:
        for _ in range(int(steps)):
            name = pair.draw.choice(pair.names)
            if pair.draw.randrange(10) == 0:
                done.append("open " + name)
                open_both(pair, name)
            done.append("?")
            done[-1] = pair.step()
            if pair.draw.randrange(20) == 0:
                pair.compare()
        pair.compare()
    except AssertionError as error:
        sys.exit("seed %s, step %d, %s: %s" % (seed, len(done), done[-8:], error))


# Mapped files


def mapped_dies(pages, index):
    """Whether a process that reads a page is ended."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open("/dev/null", os.O_RDWR), 2)
        _ = pages[index]
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -7


def device_of(command):
    def device(*words):
        subprocess.run([*command, "device", *words], check=True, input=b"2468\n",
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return device


def mapped(path, backing, *command):
    device = device_of(command)

    def stored():
        with open(backing, "rb") as file:
            return file.read()
    file = os.open(path, os.O_RDWR)
    pages = mmap.mmap(file, 0)
    first, before = pages[:4], stored()
    pages[40000:40004] = b"ABCD"
    device("lock")
    until("what was written to pages is sealed while the key is there", lambda: stored() != before)
    assert pages[:4] == first, "pages go before the deadline"
    device("clock", "advance", "11s")
    until("mapped pages go", lambda: mapped_dies(pages, 0) and mapped_dies(pages, 40000))
    assert number_of(lambda: os.pread(file, 4, 0)) == 1, "an open file reads on"
    assert number_of(lambda: os.pwrite(file, b"x", 0)) == 1, "an open file is written"
    assert number_of(lambda: os.open(path, os.O_RDONLY)) == 1, "a locked file opens"
    assert os.stat(path).st_size == len(pages)
    device("unlock", "--passcode-stdin")
    # Also for somebody who opens what another one has had open all the time.
    with open(path, "rb") as again:
        assert again.read(4) == first
    assert pages[:4] == first and pages[40000:40004] == b"ABCD", "pages do not come back"
    assert os.pread(file, 4, 40000) == b"ABCD"
    assert os.pwrite(file, b"x", 0) == 1


def replaced(path, backing, *command):
    device = device_of(command)
    file = os.open(path, os.O_RDWR)

    def replace():
        return subprocess.run([*command, "file", "reclass", "--quiet", "--class", "unless-open", backing],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    assert replace() != 0, "a file is replaced that a program may write"
    device("lock")
    device("clock", "advance", "11s")
    until("a lock takes the key", lambda: number_of(lambda: os.pread(file, 4, 0)) == 1)
    device("unlock", "--passcode-stdin")
    assert replace() != 0, "a file is replaced whose key was gone meanwhile"
    os.pwrite(file, b"written after the unlock", 0)
    os.close(file)
    with open(path, "rb") as again:
        assert again.read(24) == b"written after the unlock", "what is written is in a file without a name"
    assert replace() == 0, "nobody has it open any more"


# Many locks


def storm(mount, rounds, *command):
    """Three programs at work, each on files of its own; what they were told is on the disk stays so."""
    device, ending = device_of(command), threading.Event()
    os.chdir(mount)
    told, wrong = [0, 0, 0], []

    def record(number):
        return b"%07d\n" % number

    def append(worker):
        """Adds records, each once the one before is on the disk."""
        name = "appended-%d" % worker
        while not ending.is_set():
            try:
                file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
                try:
                    for _ in range(20):
                        os.pwrite(file, record(told[worker]), 8 * told[worker])
                        os.fsync(file)
                        told[worker] += 1
                    size = os.fstat(file).st_size
                    content = os.pread(file, size, 0)
                finally:
                    os.close(file)
                expected = b"".join(record(number) for number in range(told[worker]))
                if content[:len(expected)] != expected:
                    wrong.append("%s reads %d bytes of %d" % (name, len(content), len(expected)))
            except OSError as error:
                if error.errno != 1:
                    wrong.append("%s: %s" % (name, error))

    workers = [threading.Thread(target=append, args=(worker,)) for worker in range(3)]
    for worker in workers:
        worker.start()
    for _ in range(int(rounds)):
        device("lock")
        device("clock", "advance", "11s")
        until("a lock takes the key", lambda: number_of(lambda: open("appended-0").close()) in (1, 2))
        before = list(told)
        device("unlock", "--passcode-stdin")
        until("an unlock brings it back", lambda: all(new > old for new, old in zip(told, before)))
    ending.set()
    for worker in workers:
        worker.join()
    for worker in range(3):
        with open("appended-%d" % worker, "rb") as file:
            content = file.read()
        if not content.startswith(b"".join(record(number) for number in range(told[worker]))):
            wrong.append("appended-%d has %d bytes, %d records were told" % (worker, len(content), told[worker]))
    if wrong or min(told) < 20:
        sys.exit("%d wrong: %s; %s" % (len(wrong), wrong[:5], told))


# Many readers


def crowd(mount, *command):
    """Programs that ask for locked content again and again, while others end that have the same files open."""
    device = device_of(command)
    names = [os.path.join(mount, "crowd-%d" % number) for number in range(200)]
    for name in names:
        with open(name, "wb") as file:
            file.write(b"q" * 70000)
    ready, told = os.pipe()

    def begin(work):
        child = os.fork()
        if child:
            os.read(ready, 1)
            return child
        files = [os.open(name, os.O_RDONLY) for name in names]
        os.write(told, b".")
        work(files)

    def hold(files):
        time.sleep(1000)

    def read(files):
        def again(seed):
            draw = random.Random(seed)
            while True:
                number_of(lambda: os.pread(draw.choice(files), 4096, 4096 * draw.randrange(17)))
        for seed in range(8):
            threading.Thread(target=again, args=(seed,), daemon=True).start()
        time.sleep(1000)
    holders, readers = [begin(hold) for _ in range(3)], [begin(read) for _ in range(3)]
    device("lock")
    device("clock", "advance", "11s")
    until("a lock takes the key", lambda: number_of(lambda: open(names[0]).close()) == 1)
    for child in holders:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    try:
        for _ in range(2):
            subprocess.run(["ls", "-l", mount], timeout=LIMIT, check=True, stdout=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        sys.exit("the file system does not answer any more")
    finally:
        for child in readers:
            os.kill(child, signal.SIGKILL)


# Memory


def copies(process, text):
    """How often the memory of a process has the text."""
    count = 0
    with open("/proc/%s/mem" % process, "rb", 0) as memory, open("/proc/%s/maps" % process) as maps:
        for line in maps:
            begin, end = (int(word, 16) for word in line.split()[0].split("-"))
            try:
                memory.seek(begin)
                count += memory.read(end - begin).count(text)
            except (OSError, OverflowError):
                pass
    return count


def memory(mount, process, *command):
    device, text = device_of(command), b"marked " + os.urandom(20).hex().encode()
    os.chdir(mount)
    with open("a", "wb", 0) as file:
        file.write(text * 1000)
        os.fsync(file.fileno())
        assert open("a", "rb").read() == text * 1000
        file.write(text)
        assert copies(process, text) > 0, "a chunk that is not full is kept until it is written"
        device("lock")
        device("clock", "advance", "11s")
        until("a lock takes the key", lambda: number_of(lambda: open("a").close()) == 1)
        found = copies(process, text)
        assert found == 0, "%d copies are left" % found


# Single calls


def is_sealed(path):
    """Whether the newest of the two headers says so."""
    with open(path, "rb") as file:
        slots = [file.read(2048), file.read(2048)]
    newest = max((slot for slot in slots if slot[:4] == b"LAF1"), key=lambda slot: slot[12:20][::-1])
    return newest[5] == 1


def whole(mount, backing):
    os.chdir(mount)
    file = os.open("sealed", os.O_WRONLY | os.O_CREAT)
    os.write(file, b"content")
    assert not is_sealed(backing + "/sealed")
    os.fsync(file)
    assert is_sealed(backing + "/sealed"), "fsync seals"
    os.close(file)
    for number in range(50):
        file = os.open("sealed", os.O_WRONLY | os.O_APPEND)
        os.write(file, b"more")
        os.close(file)
        assert is_sealed(backing + "/sealed"), "close seals"
        assert os.stat("sealed").st_size == 7 + 4 * (number + 1)
    with open("a", "wb") as file:
        file.write(b"content")
    assert number_of(lambda: os.link("a", "b")) == 1
    assert number_of(lambda: os.mkfifo("pipe")) == 1
    assert os.getxattr("a", "user.localauth.protection") == b"0"
    assert number_of(lambda: os.setxattr("a", "user.note", b"plain text")) == 95
    assert number_of(lambda: os.setxattr("a", "user.localauth.protection", b"3")) == 95
    assert os.listxattr("a") == ["user.localauth.protection"]
    os.mkdir("none")
    os.setxattr("none", "user.localauth.protection", b"3")
    os.mkdir("none/below")
    with open("none/below/x", "wb") as file:
        file.write(b"content")
    assert os.getxattr("none/below/x", "user.localauth.protection") == b"3"
    # Where others can write no default counts, and files are complete.
    mask = os.umask(0)
    os.mkdir("none/open", 0o777)
    os.umask(mask)
    with open("none/open/x", "wb") as file:
        file.write(b"content")
    assert os.getxattr("none/open/x", "user.localauth.protection") == b"0"
    os.rename("none/below/x", "x")
    assert os.getxattr("x", "user.localauth.protection") == b"3", "rename keeps the class"
    os.utime("a", ns=(5, 7))
    assert (os.stat("a").st_mtime_ns, os.stat("a").st_atime_ns) == (7, 5)
    # The time that a program sets stays, although sealing comes after it.
    with open("a", "r+b") as file:
        file.write(b"C")
        file.flush()
        os.utime(file.fileno(), ns=(5, 7))
    assert os.stat("a").st_mtime_ns == 7
    os.chmod("a", 0o640)
    assert os.stat("a").st_mode & 0o7777 == 0o640
    os.chown("a", -1, 1)
    assert os.stat("a").st_gid == 1
    os.symlink("a", "link")
    assert open("link", "rb").read() == b"Content" and os.readlink("link") == "a"
    assert os.statvfs(".").f_bsize == os.statvfs("/").f_bsize or os.statvfs(".").f_blocks > 0
    directory = os.open(".", os.O_RDONLY)
    os.fsync(directory)
    # A file without a name is still a file.
    file = os.open("gone", os.O_RDWR | os.O_CREAT, 0o600)
    os.write(file, b"nameless")
    os.unlink("gone")
    assert os.pread(file, 100, 0) == b"nameless" and os.fstat(file).st_nlink == 0
    os.close(file)
    # Zeros take space as all content does.
    assert number_of(lambda: os.truncate("a", 1 << 60)) == 28
    assert number_of(lambda: os.pwrite(os.open("a", os.O_RDWR), b"x", 1 << 60)) == 28
    assert open("a", "rb").read() == b"Content"
    # A file that somebody made as long as the disk's file system lets him is damaged, and has a size.
    with open("vast", "wb") as file:
        file.write(b"content")
    for size in ((1 << 63) - 1, (1 << 44) - 4096, 1 << 40):
        if number_of(lambda: os.truncate(backing + "/vast", size)) == 0:
            break
    assert os.stat("vast").st_size > 0 and number_of(lambda: open("vast").read()) == 5
    os.unlink("vast")
    for number in range(300):
        os.mkdir("many-%d" % number)
    assert len([name for name in os.listdir(".") if name.startswith("many-")]) == 300


{"random": random_operations, "mapped": mapped, "replaced": replaced, "storm": storm, "memory": memory, "crowd": crowd, "whole": whole}[sys.argv[1]](*sys.argv[2:])
