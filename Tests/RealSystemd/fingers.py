"""Fingers by the real fprintd with libfprint's virtual reader, on the real bus, with the real polkitd and logind."""

import json
import threading
import time

from checks import PEOPLE, at_terminal, audited, uid, with_module

PASSCODE = "493021"
SOCKET = "/run/virtual-reader/socket"
DEVICE = "net.reactivated.Fprint /net/reactivated/Fprint/Device/0 net.reactivated.Fprint.Device"
RULES = "/etc/polkit-1/rules.d/10-localauth.rules"
SHIPPED = "/usr/share/doc/localauth/fprintd"
SSH = ["sshpass", "-p", PEOPLE["alice"], "ssh", "-o", "StrictHostKeyChecking=no", "alice@localhost"]
# libfprint takes whole lines of words; a scan names the print that was laid.
TOUCH = f"""
import socket, sys
with socket.socket(socket.AF_UNIX) as reader:
    reader.connect("{SOCKET}")
    reader.sendall(sys.argv[1].encode())
    reader.shutdown(socket.SHUT_WR)
    reader.recv(4096)
"""


class Seat:
    """A session at the machine's seat, in which commands are typed; a new one comes to the front."""

    def __init__(self, machine, name="alice"):
        self.terminal = machine.open(at_terminal(f"login {name}"))
        self.expect("assword")
        self.terminal.say(PEOPLE[name])
        self.expect(r"\$ ")

    def expect(self, pattern):
        found = self.terminal.heard(pattern)
        if not found:
            raise RuntimeError(f"no {pattern!r} after {self.terminal.said[-800:]!r}")
        return found

    def begin(self, command):
        # The mark is typed in two parts, so that the echo of the line is none.
        self.terminal.say(f'{command}; echo "the-""end=$?"')

    def ended(self):
        """The exit status of what began, and what was said meanwhile."""
        before = self.terminal.seen
        status = int(self.expect(r"the-end=(\d+)").group(1))
        said = self.terminal.said[before:self.terminal.seen].decode(errors="replace")
        return status, said

    def run(self, command):
        self.begin(command)
        return self.ended()

    def close(self):
        self.terminal.say("exit")
        self.terminal.end()


def is_waiting(machine):
    return machine.run("busctl", "get-property", *DEVICE.split(), "finger-needed").stdout.strip() == "b true"


def wait_for_scan(machine):
    limit = time.monotonic() + 20
    while not is_waiting(machine) and time.monotonic() < limit:
        time.sleep(0.05)


class Touches:
    """Lays fingers on the reader, each once it scans, and the last one again where that was too early to count."""

    def __init__(self, machine, *words):
        self.machine, self.words, self.is_over = machine, list(words), threading.Event()
        self.thread = threading.Thread(target=self.lay, daemon=True)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def lay(self):
        while not self.is_over.is_set():
            if is_waiting(self.machine):
                self.machine.run("python3", "-c", TOUCH, self.words[0])
                if len(self.words) > 1:
                    self.words.pop(0)
                    self.is_over.wait(0.3)
                else:
                    self.is_over.wait(2)
            self.is_over.wait(0.05)


def ours(verb):
    return f"authctl --system --device demo {verb}"


def asked(policy="biometrics", *options):
    return ours(f"evaluate --policy {policy} --reason finger {' '.join(options)}")


def evaluate(machine, seat, *words):
    """The exit status of an evaluation at the seat, with these touches."""
    with Touches(machine, *words):
        return seat.run(asked())


def prepare(machine):
    machine.write("/etc/systemd/system/fprintd.service.d/virtual.conf",
                  "[Service]\nRuntimeDirectory=virtual-reader\n"
                  f"Environment=FP_VIRTUAL_DEVICE={SOCKET} FP_DRIVERS_ALLOWLIST=virtual_device\n")
    machine.write("/etc/systemd/system/localauth-bus.service.d/virtual.conf",
                  "[Service]\nExecStart=\nExecStart=/usr/libexec/localauth/localauth-bus --simulated\n")
    # There is no virtual console in a container, so login names the seat to pam_systemd.
    machine.write("/etc/seat", "XDG_SEAT=seat0\n")
    machine.shell("sed -i '1i session required pam_env.so readenv=1 envfile=/etc/seat' /etc/pam.d/login")
    manifest = json.loads(machine.run("cat", f"{SHIPPED}/fingerprint-reader.json").stdout)
    manifest["simulated"] = True
    machine.write("/etc/localauth/authenticators/fingerprint-reader.json", json.dumps(manifest))
    machine.run("install", "-D", "-m", "644", f"{SHIPPED}/localauth.rules", RULES)
    machine.run("systemctl", "daemon-reload")
    return machine.run("systemctl", "enable", "--now", "localauth-bus.socket")


def readers(machine, report):
    """One person at the machine, with a finger."""
    enabled = prepare(machine)
    report.expect(enabled.returncode == 0, "the socket of the readers can be enabled", enabled.stderr)
    exposed = machine.run("systemd-analyze", "security", "--threshold=10", "--no-pager", "localauth-bus.service")
    report.expect(exposed.returncode == 0, "localauth-bus has few rights", exposed.stdout[-200:])
    machine.run("systemctl", "restart", "localauthd.service")
    machine.run("authctl", "--system", "device", "create", "demo", "--sensor", "none", "--passcode-stdin", user="alice",
                text=PASSCODE + "\n")
    seat = Seat(machine)
    try:
        enrols(machine, report, seat)
        judges(machine, report, seat)
        others_at_the_reader(machine, report, seat)
        killed(machine, report, seat)
        in_front(machine, report, seat)
        exclusive(machine, report, seat)
    finally:
        seat.close()
    remote(machine, report)


def enrols(machine, report, seat):
    with Touches(machine, *["SCAN alices"] * 5):
        status, said = seat.run(f"echo {PASSCODE} | " + ours("sensor enroll right-index --passcode-stdin"))
    report.expect(status == 0, "a finger is enrolled in five touches", said)
    listed = machine.run("fprintd-list", "alice").stdout
    report.expect("right-index-finger" in listed, "where fprintd finds it too", listed)


def judges(machine, report, seat):
    status, said = evaluate(machine, seat, "SCAN alices")
    report.expect(status == 0, "it matches", said)
    status, said = evaluate(machine, seat, "RETRY 1", "SCAN alices")
    report.expect(status == 0, "also after a scan that was no good", said)
    status, said = evaluate(machine, seat, "SCAN x", "SCAN y", "SCAN z")
    report.expect(status != 0 and "lock" in said.lower(), "three others lock it", f"{status} {said}")
    status, said = seat.run(asked("biometrics", "--non-interactive"))
    report.expect(status != 0, "and nobody is asked for a finger then", f"{status} {said}")
    status, said = passcode(seat)
    report.expect(status == 0, "the passcode clears that", said)
    status, said = evaluate(machine, seat, "SCAN alices")
    report.expect(status == 0, "and the finger counts again", said)
    lines = audited(machine, owner=uid(machine, "alice"), reason="finger", outcome="success")
    report.expect(any("fingerprint-reader" in json.dumps(line) for line in lines), "the journal names the reader",
                  lines[-1:])


def passcode(seat):
    return seat.run(f"echo {PASSCODE} | " + asked("passcode", "--passcode-fd", "0"))


def others_at_the_reader(machine, report, seat):
    """Who else enrols or scans gets nothing of alice's, and keeps her out of nothing."""
    with Touches(machine, *["SCAN bobs"] * 5):
        enrolled = machine.run("fprintd-enroll", "-f", "right-index-finger", "bob")
    report.expect("enroll-completed" in enrolled.stdout, "bob enrols with fprintd's own program", enrolled.stdout)
    passcode(seat)
    status, said = evaluate(machine, seat, "SCAN bobs", "SCAN alices")
    report.expect(status == 0, "bob's finger is a miss, and alice's a match", said)
    lines = audited(machine, owner=uid(machine, "alice"), reason="finger", outcome="success")
    report.expect(len(lines) > 0, "which the journal has", lines)
    holder = machine.start("fprintd-verify bob")
    wait_for_scan(machine)
    status, said = seat.run(asked("biometrics", "--timeout", "3s"))
    report.expect(status != 0, "a reader that somebody holds judges nobody else", f"{status} {said}")
    holder.kill()
    machine.run("pkill", "fprintd-verify")
    status, said = again(machine, seat)
    report.expect(status == 0, "and is used again when it is free", said)


def killed(machine, report, seat):
    """Whatever is killed while the reader scans, no success comes of it and nothing is left behind."""
    for unit in ("fprintd", "localauth-bus", "localauthd"):
        seat.begin(asked())
        wait_for_scan(machine)
        machine.run("systemctl", "kill", "--signal=KILL", f"{unit}.service")
        status, said = seat.ended()
        report.expect(status != 0, f"{unit} killed during a scan is no success", f"{status} {said}")
        passcode(seat)
        status, said = again(machine, seat)
        report.expect(status == 0, "and the next finger counts", f"{status} {said}")


def again(machine, seat):
    """An evaluation once the programs are back, which takes a rest of some seconds."""
    limit = time.monotonic() + 30
    while True:
        status, said = evaluate(machine, seat, "SCAN alices")
        if status == 0 or time.monotonic() > limit:
            return status, said
        time.sleep(1)


def in_front(machine, report, seat):
    """Who is behind another session does not see who asks for the finger."""
    other = Seat(machine, "bob")
    status, said = seat.run(asked("biometrics", "--non-interactive"))
    report.expect(status == 13 and "sits at this machine" in said, "a session that is not in front is asked for no finger",
                  f"{status} {said}")
    other.close()
    session = machine.shell("loginctl --no-legend list-sessions | awk '$3 == \"alice\" && $4 == \"seat0\" {print $1}'")
    machine.run("loginctl", "activate", *session.stdout.split()[:1])
    status, said = evaluate(machine, seat, "SCAN alices")
    report.expect(status == 0, "and is when it is in front again", f"{status} {said}")


def exclusive(machine, report, seat):
    status, said = seat.run("timeout 20 fprintd-list alice")
    report.expect("right-index-finger" in said, "without the exclusive rules alice may ask fprintd", said)
    machine.run("install", "-m", "644", f"{SHIPPED}/localauth-exclusive.rules", RULES)
    machine.run("systemctl", "restart", "polkit.service")
    status, said = seat.run("timeout 20 fprintd-verify")
    report.expect("Not Authorized" in said, "with them fprintd refuses fprintd-verify", f"{status} {said}")
    status, said = evaluate(machine, seat, "SCAN alices")
    report.expect(status == 0, "and LocalAuth may ask still", f"{status} {said}")


def remote(machine, report):
    asked_remotely = machine.run(*SSH, asked("biometrics", "--non-interactive"))
    report.expect(asked_remotely.returncode != 0, "who comes by ssh is asked for no finger", asked_remotely.stdout
                  + asked_remotely.stderr)


def dialogs(machine, report):
    """polkit asks through its own helper and its agent for terminals."""
    with_module(machine, "polkit-1")
    machine.run("usermod", "--append", "--groups", "sudo", "alice")
    seat = Seat(machine)
    try:
        status, said = as_root(seat, PEOPLE["alice"])
        report.expect(status == 0, "pkexec takes the account's password through our module", said)
        status, said = as_root(seat, "something else")
        report.expect(status != 0, "and no other", said)
    finally:
        seat.close()
    lines = audited(machine, owner=uid(machine, "alice"), uid=0)
    report.expect(any("polkit" in json.dumps(line) for line in lines), "the journal says that polkit asked", lines[-1:])


def as_root(seat, password):
    """Runs a program with pkexec, whose agent asks at the seat; its exit status and what was said."""
    before = seat.terminal.seen
    # The agent serves the process that runs pkexec; the one that pkexec starts by itself loses its cookie.
    seat.terminal.say("bash -c 'sleep 1; pkexec --disable-internal-agent id -u; echo ended=$?' & "
                      "pkttyagent --process $!")
    seat.expect("assword|asscode")
    seat.terminal.say(password)
    found = seat.expect(r"ended=(\d+)|assword|asscode")
    # Ends the agent, and with it a question that it asks once more.
    seat.terminal.say("\x03")
    status = int((found if found.group(1) else seat.expect(r"ended=(\d+)")).group(1))
    return status, seat.terminal.said[before:seat.terminal.seen].decode(errors="replace")


ALL = [readers, dialogs]
