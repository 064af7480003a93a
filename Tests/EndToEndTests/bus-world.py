#!/usr/bin/python3
"""A private system bus with fprintd, libfprint's virtual reader, and stand-ins for polkit and logind.

    bus-world.py serve DIRECTORY [KIND]   makes it there, and writes a byte to descriptor 3
    bus-world.py tell DIRECTORY COMMAND

Commands: scan PRINT, retry NUMBER, needed, needs, idle, asked, virtual WORDS, lid 0|1, sleep 0|1, inhibited,
allow 0|1, claim, release, enroll FINGER PRINT [USER], kill-reader-service, start-reader-service, halt-reader-service,
resume-reader-service, kill-bus, start-bus.

Of the kind `activated` the bus starts fprintd whenever somebody calls it, as that of the system does. Of the kind
`system` the bus is the system's own with the real polkitd: for a mount namespace whose /run is empty.
"""
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time

LIMIT = 20
FPRINT = "net.reactivated.Fprint"
DEVICE = "/net/reactivated/Fprint/Device/0"

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={0}/bus</listen><auth>EXTERNAL</auth>
<servicedir>{0}/services</servicedir>
<policy context="default"><allow send_destination="*" eavesdrop="false"/><allow receive_sender="*"/>
<allow own="*"/><allow user="*"/></policy></busconfig>
"""

SERVICE = """[D-BUS Service]
Name={0}
Exec=/usr/bin/env {1} /usr/libexec/fprintd
User=root
"""

POLKIT = """<node><interface name="org.freedesktop.PolicyKit1.Authority">
<method name="CheckAuthorization"><arg type="(sa{sv})" direction="in"/><arg type="s" direction="in"/>
<arg type="a{ss}" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="(bba{ss})" direction="out"/></method>
<signal name="Changed"/></interface></node>"""

LOGIND = """<node><interface name="org.freedesktop.login1.Manager">
<method name="Inhibit"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="h" direction="out"/></method>
<property name="LidClosed" type="b" access="read"/>
<signal name="PrepareForSleep"><arg type="b"/></signal></interface></node>"""


class World:
    def __init__(self, directory, kind):
        from gi.repository import Gio, GLib

        self.Gio, self.GLib = Gio, GLib
        self.directory = directory
        self.allowed = True
        self.lid = False
        self.inhibitors = []
        self.claimed = None
        self.kind = kind
        self.asked = 0
        self.reader_service = None
        self.path = "/run/dbus/system_bus_socket" if kind == "system" else f"{directory}/bus"
        self.address = f"unix:path={self.path}"
        os.makedirs(f"{directory}/prints", exist_ok=True)
        self.start_bus()

    def start_bus(self):
        self.bus_daemon = self.start([*self.bus_command(), "--nofork", "--nopidfile"])
        self.wait(self.is_connected)
        self.bus.set_exit_on_close(False)
        # fprintd says so whenever it begins to verify.
        self.bus.signal_subscribe(
            None, FPRINT + ".Device", "VerifyFingerSelected", DEVICE, None, self.Gio.DBusSignalFlags.NONE, self.count
        )
        if self.kind != "system":
            self.register("/org/freedesktop/PolicyKit1/Authority", POLKIT, "org.freedesktop.PolicyKit1")
            self.register("/org/freedesktop/login1", LOGIND, "org.freedesktop.login1")

    def bus_command(self):
        if self.kind == "system":
            return ["/usr/bin/dbus-daemon", "--system"]
        os.makedirs(f"{self.directory}/services", exist_ok=True)
        if self.kind == "activated":
            words = " ".join(f"{name}={value}" for name, value in self.environment().items())
            with open(f"{self.directory}/services/{FPRINT}.service", "w") as file:
                file.write(SERVICE.format(FPRINT, words))
        with open(f"{self.directory}/bus.conf", "w") as file:
            file.write(CONFIGURATION.format(self.directory))
        return ["/usr/bin/dbus-daemon", f"--config-file={self.directory}/bus.conf"]

    @staticmethod
    def start(command, environment=None):
        """Starts a program that ends with this one."""
        nothing = subprocess.DEVNULL
        return subprocess.Popen(
            ["/usr/bin/setpriv", "--pdeathsig", "KILL", *command],
            env=environment, stdout=nothing, stderr=nothing, stdin=nothing,
        )

    def count(self, *_):
        self.asked += 1

    def is_connected(self):
        """Whether the bus answers; its socket has a name a moment before it listens."""
        try:
            self.bus = self.connect()
        except self.GLib.Error:
            return False
        return True

    def connect(self):
        flags = (
            self.Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | self.Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        )
        return self.Gio.DBusConnection.new_for_address_sync(self.address, flags, None, None)

    @staticmethod
    def wait(condition):
        end = time.monotonic() + LIMIT
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError
            time.sleep(0.005)

    def register(self, path, description, name):
        interface = self.Gio.DBusNodeInfo.new_for_xml(description).interfaces[0]
        self.bus.register_object(path, interface, self.called, self.read, None)
        self.Gio.bus_own_name_on_connection(self.bus, name, self.Gio.BusNameOwnerFlags.NONE, None, None)

    def read(self, _bus, _sender, _path, _interface, _property):
        return self.GLib.Variant("b", self.lid)

    def called(self, _bus, _sender, _path, _interface, method, _arguments, call):
        if method == "CheckAuthorization":
            call.return_value(self.GLib.Variant("((bba{ss}))", ((self.allowed, False, {}),)))
        elif method == "Inhibit":
            kept, given = os.pipe()
            self.inhibitors.append(kept)
            handles = self.Gio.UnixFDList.new()
            handles.append(given)
            os.close(given)
            call.return_value_with_unix_fd_list(self.GLib.Variant("(h)", (0,)), handles)

    # fprintd

    def environment(self):
        return dict(
            PATH="/usr/bin:/bin",
            DBUS_SYSTEM_BUS_ADDRESS=self.address,
            FP_VIRTUAL_DEVICE=f"{self.directory}/reader",
            FP_DRIVERS_WHITELIST="virtual_device",
            FP_DRIVERS_ALLOWLIST="virtual_device",
            STATE_DIRECTORY=f"{self.directory}/prints",
            G_MESSAGES_DEBUG="",
        )

    def start_reader_service(self):
        self.reader_service = self.start(["/usr/libexec/fprintd", "-t"], self.environment())
        self.wait(lambda: self.owner() is not None)

    def kill_reader_service(self):
        before = self.owner()
        if self.reader_service:
            self.reader_service.kill()
            self.reader_service.wait()
        elif before:
            bus = "org.freedesktop.DBus"
            os.kill(self.call(bus, "/", bus, "GetConnectionUnixProcessID", "(s)", FPRINT)[0], signal.SIGKILL)
        self.wait(lambda: before is None or self.owner() != before)

    def owner(self):
        try:
            return self.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetNameOwner", "(s)", FPRINT)
        except self.GLib.Error:
            return None

    def call(self, service, path, interface, method, signature="()", *arguments, bus=None):
        parameters = self.GLib.Variant(signature, arguments)
        reply = (bus or self.bus).call_sync(
            service, path, interface, method, parameters, None, self.Gio.DBusCallFlags.NONE, 5000, None
        )
        return reply.unpack()

    def needs_finger(self):
        try:
            return self.call(
                FPRINT, DEVICE, "org.freedesktop.DBus.Properties", "Get", "(ss)", FPRINT + ".Device", "finger-needed"
            )[0]
        except self.GLib.Error:
            return False

    def virtual(self, words):
        with socket.socket(socket.AF_UNIX) as reader:
            reader.connect(f"{self.directory}/reader")
            reader.sendall(words.encode())
            reader.shutdown(socket.SHUT_WR)
            return reader.recv(4096).decode()

    # Commands

    def obey(self, line):
        command, _, rest = line.partition(" ")
        if command in ("scan", "retry"):
            self.wait(self.needs_finger)
            return self.virtual(f"{command.upper()} {rest}")
        if command == "needs":
            return str(int(self.needs_finger()))
        if command == "asked":
            return str(self.asked)
        if command == "needed":
            self.wait(self.needs_finger)
            return ""
        if command == "idle":
            self.wait(lambda: not self.needs_finger())
            return ""
        if command == "virtual":
            return self.virtual(rest)
        if command == "lid":
            self.lid = rest == "1"
            changed = self.GLib.Variant(
                "(sa{sv}as)", ("org.freedesktop.login1.Manager", {"LidClosed": self.GLib.Variant("b", self.lid)}, [])
            )
            return self.emit("org.freedesktop.DBus.Properties", "PropertiesChanged", changed)
        if command == "sleep":
            return self.emit(
                "org.freedesktop.login1.Manager", "PrepareForSleep", self.GLib.Variant("(b)", (rest == "1",))
            )
        if command == "inhibited":
            return str(sum(1 for kept in self.inhibitors if not select.select([kept], [], [], 0)[0]))
        if command == "allow":
            self.allowed = rest == "1"
            return ""
        if command == "kill-reader-service":
            self.kill_reader_service()
            return ""
        if command in ("halt-reader-service", "resume-reader-service"):
            self.reader_service.send_signal(signal.SIGSTOP if command.startswith("halt") else signal.SIGCONT)
            return ""
        if command == "start-reader-service":
            self.start_reader_service()
            return ""
        if command == "kill-bus":
            self.bus_daemon.kill()
            self.bus_daemon.wait()
            os.unlink(self.path)
            return ""
        if command == "start-bus":
            self.start_bus()
            self.kill_reader_service()
            self.start_reader_service()
            return ""
        if command == "claim":
            self.claimed = self.connect()
            self.call(FPRINT, DEVICE, FPRINT + ".Device", "Claim", "(s)", "", bus=self.claimed)
            return ""
        if command == "release":
            self.call(FPRINT, DEVICE, FPRINT + ".Device", "Release", bus=self.claimed)
            return ""
        if command == "enroll":
            return self.enroll(*rest.split())
        return "unknown command"

    def enroll(self, finger, print_name, user=""):
        self.claimed = self.connect()
        device = FPRINT + ".Device"
        self.call(FPRINT, DEVICE, device, "Claim", "(s)", user, bus=self.claimed)
        done = []
        self.claimed.signal_subscribe(
            None, device, "EnrollStatus", DEVICE, None, self.Gio.DBusSignalFlags.NONE,
            lambda *signal: done.append(signal[5].unpack()),
        )
        self.call(FPRINT, DEVICE, device, "EnrollStart", "(s)", finger, bus=self.claimed)
        while not any(is_done for _, is_done in done):
            known = len(done)
            self.wait(self.needs_finger)
            self.virtual(f"SCAN {print_name}")
            self.wait(lambda: len(done) > known)
        self.call(FPRINT, DEVICE, device, "EnrollStop", bus=self.claimed)
        self.call(FPRINT, DEVICE, device, "Release", bus=self.claimed)
        return str(done[-1][0])

    def emit(self, interface, name, parameters):
        self.bus.emit_signal(None, "/org/freedesktop/login1", interface, name, parameters)
        self.bus.flush_sync(None)
        return ""

    def end(self):
        for process in (self.reader_service, self.bus_daemon):
            if process:
                process.kill()
                process.wait()


def serve(directory, kind="own"):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    world = World(directory, kind)
    loop = world.GLib.MainLoop()
    threading.Thread(target=loop.run, daemon=True).start()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"{directory}/control")
    listener.listen(8)
    try:
        if kind != "activated":
            world.start_reader_service()
        os.write(3, b".")
        while True:
            answer(world, listener.accept()[0])
    finally:
        world.end()


def answer(world, connection):
    with connection:
        line = connection.makefile().readline().strip()
        try:
            reply = world.obey(line)
        except Exception as error:
            reply = f"failed: {type(error).__name__} {error}"
        connection.sendall(reply.encode())


def tell(directory, line):
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(f"{directory}/control")
        control.sendall(line.encode() + b"\n")
        control.shutdown(socket.SHUT_WR)
        print(control.makefile().read(), end="")


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(*sys.argv[2:])
    else:
        tell(sys.argv[2], " ".join(sys.argv[3:]))
