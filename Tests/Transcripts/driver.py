"""Calls to a daemon, and everything that anybody hears of them before the next one is made."""

import contextlib
import json
import os
import signal
import struct

from callers import ourselves, session
from calls import Call, Line, Program
from stage import DISK, JUDGE, MIRROR, Stage, Watch

# Of the attacks, which calls.py has put on the path.
from peer import Gone  # noqa: E402
from rig import Daemon  # noqa: E402


class Driver:
    """One daemon with what is under way at it, and the transcript of what it said."""

    def __init__(self, programs, home, preloaded, services):
        self.programs, self.home = programs, home
        self.stage, self.watch = Stage(home), Watch()
        self.daemon = Daemon(programs, home, ["--pam-service", "asks", "--pam-confdir", services])
        self.daemon.preloaded = preloaded
        self.underway, self.lines, self.last = [], [], 0
        self.callers = [ourselves(self.daemon.socket)]
        self.start()

    def start(self):
        self.stage.open()
        if not self.daemon.start():
            raise RuntimeError(f"localauthd does not start: {self.daemon.errors()}")
        self.watch.settle(self.processes)
        self.stage.close()

    def join(self, names, has_terminal):
        """More callers, in a session of their own."""
        self.callers += session(self.daemon.socket, names, has_terminal)

    # What is done.

    def call(self, method, caller=None, line=None, more=False, oneway=False, **parameters):
        """A call; on a connection of its own unless one that stays is named and free."""
        caller = caller or self.callers[0]
        message = {"method": method, "parameters": parameters}
        message.update({name: True for name, is_so in (("more", more), ("oneway", oneway)) if is_so})
        call = self.send(json.dumps(message).encode() + b"\0", method, caller, line, parameters)
        call.is_over = oneway
        self.note({"call": method, "by": caller.name, "number": call.number, **parameters})
        return call

    def send(self, frame, method, caller, line=None, parameters=None):
        """Any bytes, as a call that may be answered."""
        kept = self.line(caller, line)
        kept.send(frame)
        self.last += 1
        call = Call(self.last, caller, kept, method, parameters or {})
        self.underway.append(call)
        return call

    def line(self, caller, name):
        kept = caller.lines.get(name) if name else None
        busy = [call.line for call in self.underway if call.method != "authctl"]
        if kept is None or kept.is_closed or kept in busy:
            kept = Line(caller.connect())
            if name and caller.lines.setdefault(name, kept).is_closed:
                caller.lines[name] = kept
        return kept

    def run(self, words, given=""):
        """Starts `authctl`."""
        self.last += 1
        command = [os.path.join(self.programs, "authctl"), "--home", self.home, *words]
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.home}
        program = Program(self.last, command, environment, given)
        self.underway.append(program)
        self.note({"authctl": words, "number": program.number, **({"given": given} if given else {})})
        return program

    def leave(self, call):
        """Closes a connection, or ends a program, which cancels what waits there."""
        if call.method == "authctl":
            call.process.send_signal(signal.SIGTERM)
        else:
            call.line.close()
            call.prompt = None
            self.underway.remove(call)
        self.note({"leave": call.number})

    def wait(self, milliseconds):
        """Lets the machine's time pass."""
        self.stage.advance(milliseconds)
        self.pulse()
        self.note({"wait": milliseconds})

    def pulse(self):
        """Has the daemon look at its clock."""
        pulse = Line(self.callers[0].connect())
        pulse.send(b'{"method": "org.varlink.service.GetInfo"}\0')
        self.watch.settle(self.processes)
        pulse.close()

    def hold(self, what):
        """Nothing is judged, or nothing is brought to the disk, from now on."""
        self.stage.held = {JUDGE} if what == "judge" else {DISK, MIRROR}
        self.note({"hold": what})

    def release(self):
        self.stage.held = set()
        self.note("release")

    def restart(self, by):
        """A loss of power, or an orderly end; and a new start."""
        self.stage.held = set()
        if by == signal.SIGKILL:
            self.daemon.kill()
        else:
            self.stage.open()
            os.kill(self.daemon.process.pid, by)
            self.daemon.process.wait()
        heard = self.hear()
        status = self.daemon.process.returncode
        self.start()
        self.note({"restart": by.name, "status": status, "ended": heard})

    # What comes of it.

    def processes(self):
        """Everybody who may have something to say still."""
        daemon = self.daemon.process.pid
        return [daemon, *(worker for worker in self.stage.workers if parent(worker) == daemon),
                *(caller.process for caller in self.callers[1:]),
                *(call.process.pid for call in self.underway if call.method == "authctl" and not call.is_over)]

    def hear(self):
        """Everything that is said until nobody has more to say."""
        heard, is_new = {}, True
        while is_new:
            self.watch.settle(self.processes)
            is_new = self.stage.let_one_pass()
            for call in self.underway:
                if told := call.drain():
                    heard.setdefault(call.number, []).extend(told)
                    is_new = True
            over = [call for call in self.underway if call.is_over]
            self.underway = [call for call in self.underway if not call.is_over]
            for call in over:
                if call.method != "authctl" and call.line not in call.caller.lines.values():
                    call.line.close()
                    is_new = True
        return heard

    def note(self, what):
        heard = self.hear()
        if self.daemon.has_crashed:
            raise Gone(f"the daemon crashed: {self.daemon.errors()}")
        self.lines.append((what, heard, [self.guarded(), self.stage.syncs]))
        # Items are found in the order in which they were added, as far as the clock can tell.
        self.stage.advance(1)

    def guarded(self):
        """How many guarded commits there were: the number in the file beside the database."""
        with open(f"{self.home}/sequence", "rb") as file:
            record = file.read(16)
        return struct.unpack_from("<Q", record, 8)[0] if len(record) == 16 else 0

    def end(self):
        """Ends it all, whatever is under way."""
        if self.daemon.process and self.daemon.process.poll() is None:
            self.daemon.kill()
        for call in self.underway:
            if call.method == "authctl":
                call.process.kill()
                call.process.wait()
            else:
                call.line.close()
        for caller in self.callers:
            caller.hang_up()
        for caller in self.callers[1:]:
            caller.control.close()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        self.stage.end()
        self.watch.end()


def parent(process):
    """The parent of a process; None where it is gone."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        with open(f"/proc/{process}/stat", "rb") as file:
            return int(file.read().rpartition(b") ")[2].split()[1])
    return None
