"""An interactive shell on a pseudo-terminal, and the place in which the commands of one block are typed."""

import contextlib
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time

import shown

# How each shell starts without anybody's settings, and how it writes the status of each command to a file.
SHELLS = {
    "bash": (["/bin/bash", "--norc", "--noprofile", "-i"], "PROMPT_COMMAND='echo $? >> {0}'"),
    "zsh": (["/usr/bin/zsh", "-f", "-i"], "precmd() {{ echo $? >> {0}; }}"),
    "fish": (["/usr/bin/fish", "--no-config", "-i"], "function told --on-event fish_prompt; echo $status >> {0}; end"),
}
# No command takes as long on a slow machine that builds at the same time.
DEADLINE = 900
PASSCODE = "2468"


def installed():
    return [name for name, (command, _) in SHELLS.items() if os.path.exists(command[0])]


class NotShown(Exception):
    pass


class Terminal:
    """A shell that somebody types into."""

    def __init__(self, shell, place):
        command, tell = SHELLS[shell]
        self.screen, self.echoes = "", True
        self.statuses = tempfile.NamedTemporaryFile(dir=place.home, prefix="status")
        self.process, self.controller = pty.fork()
        if self.process == 0:
            # A run in the background may ignore Ctrl-C, and an interactive shell would hand that on.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(place.work)
            os.execve(command[0], command, place.environment)
        fcntl.ioctl(self.controller, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 400, 0, 0))
        self.write(tell.format(self.statuses.name) + "\r")
        self.told(0)

    def write(self, keys):
        os.write(self.controller, keys.encode())

    def read(self):
        if select.select([self.controller], [], [], 0.02)[0]:
            with contextlib.suppress(OSError):
                self.screen += os.read(self.controller, 65536).decode(errors="replace")

    def wait(self, condition, what):
        deadline = time.monotonic() + DEADLINE
        while not condition():
            if time.monotonic() > deadline:
                raise NotShown("%s; on the screen: %s" % (what, self.plain()[-1500:]))
            self.read()

    def ended(self):
        return [int(line) for line in read(self.statuses.name).splitlines()]

    def told(self, count):
        """Waits for the status of one more command than `count`."""
        self.wait(lambda: len(self.ended()) > count, "the command did not end")
        self.read()
        return self.ended()[-1]

    def plain(self):
        """What was on the screen after the line that was typed, without colours and movements."""
        text = re.sub(r"\x1b(\[[0-9;?<=>]*[a-zA-Z]|\][^\x07\x1b]*(\x07|\x1b\\)|[()].|[=>78])|\r|\x07", "", self.screen)
        return text.partition("\n")[2] if self.echoes else text

    def type(self, command, promise, place):
        """What is wrong with how a command ends, if anything."""
        self.screen, self.echoes, count = "", True, len(self.ended())
        self.write(command + "\r")
        for text, keys in promise.answers:
            self.wait(lambda: text in self.plain() or len(self.ended()) > count, "no %r was shown" % text)
            if text not in self.plain():
                raise NotShown("no %r was shown: %s" % (text, self.plain()))
            self.screen, self.echoes = "", False
            if callable(keys):
                keys(place, command)
            else:
                self.write(keys)
        status = self.told(count)
        if status != promise.status:
            raise NotShown("status %d instead of %d: %s" % (status, promise.status, self.plain()))
        # fish and zsh may draw the last line after they told the status.
        self.wait(lambda: not promise.shows or re.search(promise.shows, self.plain()),
                  "%r was not shown" % promise.shows)

    def close(self):
        with contextlib.suppress(OSError):
            os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.controller)
        self.statuses.close()


class Place:
    """A home with devices, and a directory with the files and programs that the texts name."""

    def __init__(self, programs, commands):
        self.programs, self.home = programs, tempfile.mkdtemp(prefix="typed.")
        self.work, tools = os.path.join(self.home, "work"), os.path.join(self.home, "bin")
        self.environment = {
            "PATH": "%s:%s:/usr/bin:/bin" % (tools, programs), "HOME": self.home, "TERM": "xterm-256color",
            "XDG_RUNTIME_DIR": os.path.join(self.home, "run"), "LANG": "C.UTF-8", "DISPLAY": ":9", "nonce_of_the_service": "8c2f",
            "LOCALAUTH_DEVICE": "sim", "LOCALAUTH_ALLOW_SIMULATED": "1",
        }
        os.makedirs(os.path.join(self.home, "run"), mode=0o700)
        for directory, files in [(self.work, shown.FILES), (tools, shown.TOOLS)]:
            os.makedirs(directory)
            for name, text in files.items():
                with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                    file.write(text)
                os.chmod(file.name, 0o755 if text.startswith("#!") else 0o600)
        text = "\n".join(commands)
        made = set(re.findall(r"device create (\w+)", text))
        named = set(re.findall(r"--device (\w+)", text))
        # What names no device means the one of the environment.
        for name in (named if all("--device" in command for command in commands) else named | {"sim"}) - made:
            self.run("device", "create", name, "--finger", "right-index", "--passcode-stdin", typed=PASSCODE)
        # A block that adds items itself has none before.
        adds = len(commands) > 1 and any("keychain add" in command for command in commands)
        needed = [need for command in commands for need in shown.COMMANDS[command].needs if not adds]
        for arguments, secret in dict.fromkeys(needed):
            self.run(*arguments.split(), typed=secret)

    def run(self, *words, typed=None):
        subprocess.run(["authctl", *words], input=typed, capture_output=True, text=True, check=True, env=self.environment, cwd=self.work,
                       executable=os.path.join(self.programs, "authctl"), timeout=DEADLINE)

    def missing(self, promise):
        """What a command was to leave in a file, and did not."""
        for name, text in promise.leaves.items():
            path = os.path.join(self.work, name)
            if not os.path.exists(path) or text not in read(path):
                yield "%s does not have %r: %r" % (name, text, read(path) if os.path.exists(path) else None)

    def close(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.run("daemon", "stop")
        # The program that offers what was copied goes on until something else is copied.
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(read(os.path.join(self.home, "owner"))), signal.SIGKILL)
        shutil.rmtree(self.home, ignore_errors=True)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def typed(programs, shell, path, block):
    """Types the commands of a block; the shell, how many there were, and what was wrong."""
    commands = [command for command in block if not isinstance(shown.COMMANDS.get(command, ""), str)]
    commands = [command for command in commands if shell in shown.COMMANDS[command].shells]
    if not commands:
        return shell, 0, []
    count, place = 0, Place(programs, commands)
    terminal = Terminal(shell, place)
    try:
        for command in commands:
            try:
                promise = shown.COMMANDS[command]
                with contextlib.ExitStack() as stack:
                    if promise.beside:
                        other = Terminal(shell, place)
                        stack.callback(other.close)
                        other.write(promise.beside + "\r")
                        other.wait(lambda: "SIMULATED DEVICE" in other.plain(), "no prompt was shown")
                    terminal.type(command, promise, place)
                wrong = list(place.missing(promise))
                if wrong:
                    raise NotShown("; ".join(wrong))
                count += 1
            except NotShown as error:
                return shell, count, ["%s: in %s: %s\n  %s" % (path, shell, command, error)]
        return shell, count, []
    finally:
        terminal.close()
        place.close()
