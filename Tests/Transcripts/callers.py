"""Who calls: processes of their own, alone or two in a session, on a terminal or on none."""

import contextlib
import fcntl
import os
import select
import socket
import termios


class Caller:
    """A process that calls, and its connections that stay: what a context has proven lasts as long as one of these."""

    def __init__(self, name, process, connect):
        self.name, self.process, self.connect, self.lines = name, process, connect, {}

    def hang_up(self):
        for line in self.lines.values():
            line.close()
        self.lines = {}


def ourselves(path):
    """The transcript's own process."""

    def connect():
        end = socket.socket(socket.AF_UNIX)
        end.connect(path)
        return end

    return Caller("me", os.getpid(), connect)


def session(path, names, has_terminal):
    """A new session of so many processes, which connect to `path` and pass on what they are given."""
    controls = [socket.socketpair() for _ in names]
    leader = os.fork()
    if leader == 0:
        with contextlib.suppress(BaseException):
            begin(path, [theirs for _, theirs in controls], has_terminal)
        os._exit(0)
    for _, theirs in controls:
        theirs.close()
    return [relayed(name, ours) for name, (ours, _) in zip(names, controls)]


def begin(path, controls, has_terminal):
    os.setsid()
    kept = [control.fileno() for control in controls]
    if has_terminal:
        kept += os.openpty()
        fcntl.ioctl(kept[-1], termios.TIOCSCTTY, 0)
    # The transcript's connections end when it closes them, whatever we have inherited.
    for number in {int(name) for name in os.listdir("/proc/self/fd")} - set(kept):
        with contextlib.suppress(OSError):
            os.close(number)
    for control in controls[1:]:
        if os.fork() == 0:
            for other in controls:
                if other is not control:
                    other.close()
            return relay(path, control)
        control.close()
    relay(path, controls[0])


def relayed(name, control):
    process = int(control.recv(16))

    def connect():
        ours, theirs = socket.socketpair()
        socket.send_fds(control, [b"+"], [theirs.fileno()])
        theirs.close()
        return ours

    caller = Caller(name, process, connect)
    caller.control = control
    return caller


def relay(path, control):
    """Connects once for each end that it is sent, until there will be no more."""
    control.send(str(os.getpid()).encode())
    others = {}
    while True:
        ready, _, _ = select.select([control, *others], [], [])
        for end in ready:
            if end is control:
                word, ends, _, _ = socket.recv_fds(control, 1, 1)
                if not word:
                    return
                near, far = socket.socket(fileno=ends[0]), socket.socket(socket.AF_UNIX)
                try:
                    far.connect(path)
                except OSError:
                    near.close()
                    continue
                others[near], others[far] = far, near
            elif end in others:
                carry(end, others)


def carry(end, others):
    other = others[end]
    try:
        data = end.recv(65536)
        if data:
            return other.sendall(data)
    except OSError:
        pass
    for closed in (end, other):
        del others[closed]
        closed.close()
