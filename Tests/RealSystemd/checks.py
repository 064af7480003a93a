"""What must hold of units, journal, sessions and the programs of PAM."""

import json
import os
import re
import shlex
import time

PEOPLE = {"alice": "alice's own", "bob": "bob's own"}
LINE = "auth [success=done default=ignore] pam_localauth.so\n"
SHIPPED_STACKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../pam/stacks")
STACKS = ["sudo", "su", "login", "sshd"]


def make_people(machine):
    """Two people with passwords; alice may use sudo."""
    for name, password in PEOPLE.items():
        machine.run("useradd", "--create-home", "--shell", "/bin/bash", name)
        machine.run("chpasswd", text=f"{name}:{password}\n")
    machine.write("/etc/sudoers.d/alice", "alice ALL=(ALL) ALL\n", 0o440)


def evaluate(machine, user, password, *options):
    return machine.run("authctl", "--system", *options, "evaluate", "--policy", "passcode", "--reason", "a check",
                       "--passcode-fd", "0", user=user, text=password + "\n")


def journal(machine, *words):
    """Lines of this boot, as dictionaries."""
    machine.run("journalctl", "--sync")
    text = machine.run("journalctl", "--boot", "--output=json", "--no-pager", *words).stdout
    return [json.loads(line) for line in text.splitlines()]


def audited(machine, **fields):
    return journal(machine, *[f"LOCALAUTH_{name.upper()}={value}" for name, value in fields.items()])


def uid(machine, name):
    return machine.run("id", "-u", name).stdout.strip()


def units(machine, report):
    machine.run("systemd-sysusers")
    machine.run("systemd-tmpfiles", "--create")
    machine.run("systemctl", "daemon-reload")
    report.expect(machine.run("id", "localauth").returncode == 0, "sysusers makes the account")
    enabled = machine.run("systemctl", "enable", "--now", "localauthd.socket", "localauth-pam-worker.socket")
    report.expect(enabled.returncode == 0, "the sockets can be enabled", enabled.stderr)
    status = machine.run("authctl", "--system", "status", user="alice")
    report.expect(status.returncode == 0, "the first client starts the service", status.stderr)
    active = machine.run("systemctl", "is-active", "localauthd.service").stdout.strip()
    report.expect(active == "active", "its unit says so", active)
    for unit, most in (("localauthd", 10), ("localauth-pam-worker", 20)):
        exposed = machine.run("systemd-analyze", "security", f"--threshold={most}", "--no-pager", unit + ".service")
        report.expect(exposed.returncode == 0, f"{unit} has few rights", exposed.stdout[-200:])
    modes = machine.shell("stat -c '%n %a %U' /run/localauth /run/localauth/socket /run/localauth-pam/socket "
                          "/var/lib/localauth").stdout.split("\n")[:4]
    wanted = ["/run/localauth 755 root", "/run/localauth/socket 666 root", "/run/localauth-pam/socket 660 root",
              "/var/lib/localauth 700 localauth"]
    report.expect(modes == wanted, "sockets and state have their owners and modes", modes)


def locked_memory(machine, report):
    """What the unit asks for holds wherever systemd itself may raise it, and is enough."""
    unit = machine.shell("cat /proc/$(systemctl show -P MainPID localauthd)/limits").stdout
    found = int(re.search(r"Max locked memory +(\d+)", unit).group(1))
    manager = machine.shell("cat /proc/1/limits; grep CapEff /proc/1/status").stdout
    most = int(re.search(r"Max locked memory +\d+ +(\d+)", manager).group(1))
    may_raise = int(re.search(r"CapEff:\s+(\w+)", manager).group(1), 16) >> 24 & 1
    wanted = 64 << 20 if may_raise else min(64 << 20, most)
    report.expect(found == wanted, "LimitMEMLOCK holds as far as systemd may raise it", f"{found}, not {wanted}")
    if not may_raise:
        print(f"  note    systemd has no CAP_SYS_RESOURCE here, so its own hard limit of {most} bytes is the unit's")
    said = machine.run("authctl", "--system", "status").stdout
    report.expect("may reach swap" not in said, "the secrets of the service are locked", said)


def evaluations(machine, report):
    alice = uid(machine, "alice")
    right = evaluate(machine, "alice", PEOPLE["alice"])
    report.expect(right.returncode == 0, "the account's password is a success", right.stderr)
    lines = audited(machine, owner=alice, outcome="success", reason="a check")
    report.expect(len(lines) == 1 and lines[0]["SYSLOG_IDENTIFIER"] == "localauthd", "with one line in the journal",
                  lines)
    wrong = evaluate(machine, "alice", "something else")
    report.expect(wrong.returncode == 1, "another password is none", wrong.stderr)
    said = [line["LOCALAUTH_OUTCOME"] for line in audited(machine, owner=alice, reason="a check")
            if line["LOCALAUTH_OUTCOME"] != "success"]
    report.expect(said == ["authenticationFailed"], "and the journal says so, once", said)
    told = [line for line in journal(machine, "_SYSTEMD_UNIT=localauth-pam-worker.service") if "pam_unix" in
            line["MESSAGE"]]
    tags = {line["SYSLOG_IDENTIFIER"] for line in told}
    report.expect(tags == {"localauth-pam-worker"}, "PAM's lines bear the worker's name", tags)
    report.expect(len(told) == 1, "one wrong password is one conversation", [line["MESSAGE"] for line in told])
    other = machine.run("authctl", "--system", "--user", uid(machine, "bob"), "status", user="alice")
    report.expect(other.returncode == 77, "nobody but root names another user", other.stderr)


def with_module(machine, service):
    """Gives a service the stack that we ship for it, or where there is none our line first, as docs/install.md says."""
    shipped = os.path.join(SHIPPED_STACKS, service)
    if os.path.exists(shipped):
        with open(shipped) as file:
            machine.write(f"/etc/pam.d/{service}", file.read())
        return
    text = machine.run("cat", f"/etc/pam.d/{service}").stdout
    if LINE not in text:
        machine.write(f"/etc/pam.d/{service}", LINE + text)


def at_terminal(command):
    """The words that run a command on a terminal of its own."""
    return ["script", "--quiet", "--return", "--command", command, "/dev/null"]


def sudo_and_su(machine, report):
    for service in STACKS:
        with_module(machine, service)
    alice, bob = uid(machine, "alice"), uid(machine, "bob")
    right = machine.run("sudo", "-k", "-S", "id", "-u", user="alice", text=PEOPLE["alice"] + "\n")
    report.expect(right.stdout.strip() == "0", "sudo takes the password through our module", right.stderr)
    lines = audited(machine, owner=alice, uid=0, outcome="success")
    report.expect(len(lines) >= 1, "the journal says that root asked for alice", lines)
    wrong = machine.run("sudo", "-k", "-S", "id", "-u", user="alice", text="x\ny\nz\n")
    report.expect(wrong.returncode != 0 and not wrong.stdout, "sudo takes no other", wrong.stdout)
    right = machine.run("su", "bob", "-c", "id -un", user="alice", text=PEOPLE["bob"] + "\n")
    report.expect(right.stdout.strip() == "bob", "su takes bob's password", right.stderr)
    for _ in range(6):
        machine.run("su", "bob", "-c", "id -un", user="alice", text="nothing\n")
    own = evaluate(machine, "bob", PEOPLE["bob"])
    report.expect(own.returncode == 0, "alice's wrong answers to su keep bob out of nothing of his own",
                  own.stderr + own.stdout)
    refused = machine.run("su", "bob", "-c", "id -un", user="alice", text="nothing\n")
    report.expect(refused.returncode != 0, "su lets nobody in without the password", refused.stdout)
    lines = audited(machine, owner=bob)
    report.expect(len(lines) >= 2, "bob's audit names every try", len(lines))


def programs_that_are_not_root(machine, report):
    """A program of alice's that asks PAM for somebody else proves nothing with her own password."""
    machine.write("/etc/pam.d/check", LINE + "auth required pam_deny.so\naccount required pam_permit.so\n")
    for other in ("bob", "root"):
        asked = machine.run("pamtester", "check", other, "authenticate", user="alice", text=PEOPLE["alice"] + "\n")
        report.expect(asked.returncode != 0, f"a program of alice's proves nothing about {other}", asked.stdout)
    asked = machine.run("pamtester", "check", "alice", "authenticate", user="alice", text=PEOPLE["alice"] + "\n")
    report.expect(asked.returncode == 0, "but for alice it does", asked.stdout + asked.stderr)


def sessions(machine, report):
    """A login at a terminal is local, one by ssh is remote, whatever the session does then."""
    for service in STACKS:
        with_module(machine, service)
    machine.run("systemctl", "restart", "ssh.service")
    show = "loginctl show-session $XDG_SESSION_ID -p Remote -p Service"
    machine.run("authctl", "--system", "device", "lock", user="alice")
    local = machine.converse(at_terminal("login alice"),
                             [("assword", PEOPLE["alice"]), ("$ ", show),
                              ("Service=", "authctl --system --json status"), ('"daemon"', "exit")])
    report.expect("Remote=no" in local and "Service=login" in local, "login makes a local session", local[-400:])
    report.expect('"lockState":"unlocked"' in local, "whose password opens the keychain", local[-900:])
    after = machine.run("authctl", "--system", "--json", "status", user="alice").stdout
    report.expect('"lockState":"locked"' in after, "and whose end locks it again", after)
    ssh = ["sshpass", "-p", PEOPLE["alice"], "ssh", "-o", "StrictHostKeyChecking=no", "alice@localhost"]
    remote = machine.run(*ssh, show)
    report.expect("Remote=yes" in remote.stdout, "ssh makes a remote session", remote.stderr + remote.stdout)
    wrong = machine.run("sshpass", "-p", "nothing", *ssh[3:], "true")
    report.expect(wrong.returncode == 5, "ssh takes no other password", wrong.returncode)
    policies = {line["LOCALAUTH_POLICY"] for line in audited(machine, owner=uid(machine, "alice"), uid=0)
                if "ssh" in json.dumps(line.get("LOCALAUTH_REASON", ""))}
    report.expect(policies <= {"passcode"}, "who comes by ssh is asked for the passcode alone", policies)
    moved_processes(machine, report, ssh)


def moved_processes(machine, report, ssh):
    """A process of a remote session that moves to a unit of its user's manager stays remote."""
    command = shlex.join(at_terminal("sudo -k id -u"))
    for unit in ("moved.scope", "session-5.scope"):
        before = len(audited(machine, owner=uid(machine, "alice"), uid=0, policy="device-owner"))
        moved = machine.converse([*ssh, f"systemd-run --user --scope --quiet --unit={unit} {command}"],
                                 [("assword", PEOPLE["alice"])])
        after = len(audited(machine, owner=uid(machine, "alice"), uid=0, policy="device-owner"))
        report.expect("\n0" in moved, f"sudo works in {unit} of the user's manager", moved)
        report.expect(after == before, "and is remote there too", f"{after - before} evaluations of device-owner")


def restarts(machine, report):
    """What was counted stays, whoever ends what."""
    machine.shell("authctl --system device create kept --passcode-stdin", user="alice", text="493021\n")
    machine.shell("authctl --system --device kept device unlock --stdin", user="alice", text="wrong\n")
    acts = ["systemctl restart localauthd.service", "systemctl kill -s KILL localauthd.service",
            "systemctl restart localauth-pam-worker.service localauthd.socket localauth-pam-worker.socket",
            "systemctl stop localauthd.service localauth-pam-worker.service"]
    for act in acts:
        machine.shell(act)
        time.sleep(0.5)
        left = attempts_left(machine, "kept")
        report.expect(left == 9, f"after '{act}' the count is what it was", left)
    own = evaluate(machine, "alice", PEOPLE["alice"])
    report.expect(own.returncode == 0, "and PAM's workers come back", own.stderr)


def attempts_left(machine, device, user="alice"):
    """Passcodes left of a device; None where it cannot be told."""
    said = machine.run("authctl", "--system", "--json", "--device", device, "status", user=user)
    try:
        return json.loads(said.stdout)["state"]["passcodeRemainingAttempts"]
    except (ValueError, KeyError):
        return None


ALL = [units, locked_memory, evaluations, sudo_and_su, programs_that_are_not_root, sessions, restarts]
