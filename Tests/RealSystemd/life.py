"""The life of the packages on one machine: installed, upgraded with an open keychain, removed, installed again, purged."""

PASSCODE = "493021"
STACK = "/etc/pam.d/common-auth"
# What belongs to the machine and not to any package changes by itself.
ELSEWHERE = ("/proc", "/sys", "/dev", "/run/systemd", "/run/log", "/run/udev", "/run/user", "/run/dbus", "/run/lock", "/tmp",
             "/var/tmp", "/var/log", "/var/cache", "/var/lib/dpkg", "/var/lib/systemd/timers", "/var/lib/systemd/random-seed",
             "/var/lib/pam", "/opt", "/home", "/var/backups", "/run/nologin", "/run/mount", "/run/host")
# The next numbers of accounts, and copies of the lists from before: every account that comes and goes changes them.
ACCOUNTS = ("/etc/passwd-", "/etc/group-", "/etc/shadow-", "/etc/gshadow-", "/etc/subuid-", "/etc/subgid-", "/etc/.pwd.lock")


def live(machine, report):
    machine.run("useradd", "--create-home", "--shell", "/bin/bash", "alice")
    machine.run("chpasswd", text="alice:alice's own\n")
    machine.run("loginctl", "enable-linger", "alice")
    before = files(machine)
    installed(machine, report)
    upgraded(machine, report)
    removed(machine, report, before)
    purged(machine, report, before)


def files(machine):
    """Each file of the machine, with what it holds if it is one of those that packages change."""
    leave_out = " ".join(f"-path {path} -prune -o" for path in ELSEWHERE)
    listed = machine.shell(f"find / -xdev {leave_out} -print; find /run {leave_out} -print; true", limit=120).stdout
    sums = machine.shell("sha256sum /etc/pam.d/* /etc/passwd /etc/group /etc/shadow 2>/dev/null; true").stdout
    return {line for line in listed.splitlines() if line not in ACCOUNTS} | {f"sum {line}" for line in sums.splitlines()}


def dpkg(machine, report, what, *words):
    """Runs dpkg, which must succeed without a word on what went wrong."""
    ended = machine.run("env", "DEBIAN_FRONTEND=noninteractive", "dpkg", *words, limit=300)
    report.expect(ended.returncode == 0 and "rror" not in ended.stdout + ended.stderr, what,
                  ended.stdout[-600:] + ended.stderr[-600:])
    return ended.stdout


def install(machine, report, folder, what):
    return dpkg(machine, report, what, "--install", *[f"/opt/{folder}/{name}" for name in machine.shell(
        f"cd /opt/{folder} && ls localauth_* libpam-localauth_* localauth-doc_*").stdout.split()])


def authctl(machine, *words, text=None, user="alice"):
    return machine.run("authctl", "--system", *words, user=user, text=text)


def main_process(machine):
    return machine.run("systemctl", "show", "-P", "MainPID", "localauthd.service").stdout.strip()


def installed(machine, report):
    print("install", flush=True)
    stack = machine.run("cat", STACK).stdout
    install(machine, report, "now", "the packages install")
    sockets = machine.run("systemctl", "is-active", "localauthd.socket", "localauth-pam-worker.socket").stdout.split()
    report.expect(sockets == ["active", "active"], "the sockets are there", sockets)
    service = machine.run("systemctl", "is-active", "localauthd.service").stdout.strip()
    report.expect(service == "inactive", "the daemon runs only when somebody asks it", service)
    status = authctl(machine, "status")
    report.expect(status.returncode == 0, "the first client starts it", status.stderr)
    judged = authctl(machine, "evaluate", "--policy", "passcode", "--reason", "a check", "--passcode-fd", "0",
                     text="alice's own\n")
    report.expect(judged.returncode == 0, "PAM judges an account's password", judged.stderr)
    swift = machine.shell("ldd /usr/libexec/localauth/* /usr/bin/authctl 2>&1 | grep -i -e swift -e 'not found'").stdout
    report.expect(swift == "", "no program needs Swift or anything that is missing", swift)
    report.expect(machine.run("cat", STACK).stdout == stack, "no stack of PAM asks it")
    machine.run("env", "DEBIAN_FRONTEND=noninteractive", "pam-auth-update", "--package", "--enable", "localauth")
    report.expect("pam_localauth.so" in machine.run("cat", STACK).stdout, "until somebody turns the profile on")
    wrong = machine.run("systemd-analyze", "verify", "--user", "/usr/lib/systemd/user/localauthd.service").stderr
    report.expect("localauthd" not in wrong, "the units of a user are sound", wrong)
    of_a_user(machine, report)


def of_a_user(machine, report):
    """The units with which systemd starts alice's own daemon; nothing turns them on but alice."""
    own = ["env", "XDG_RUNTIME_DIR=/run/user/" + machine.run("id", "-u", "alice").stdout.strip()]
    is_active = [*own, "systemctl", "--user", "is-active"]
    off = machine.run(*is_active, "localauthd.socket", user="alice").stdout.strip()
    report.expect(off == "inactive", "a user's socket is off", off)
    started = machine.run(*own, "systemctl", "--user", "start", "localauthd.socket", user="alice")
    report.expect(started.returncode == 0, "a user can start it", started.stderr)
    machine.run(*own, "authctl", "status", user="alice")
    active = machine.run(*is_active, "localauthd.service", user="alice").stdout.strip()
    report.expect(active == "active", "and the first client starts that user's daemon", active)
    machine.run(*own, "systemctl", "--user", "stop", "localauthd.socket", "localauthd.service", user="alice")


def upgraded(machine, report):
    print("upgrade with an open keychain", flush=True)
    authctl(machine, "device", "create", "safe", "--passcode-stdin", text=PASSCODE + "\n")
    authctl(machine, "--device", "safe", "keychain", "add", "--account", "me", "--service", "mail", "--stdin", text="gold")
    process = main_process(machine)
    said = install(machine, report, "next", "the next version installs over it")
    report.expect("goes on in its old version" in said, "it says that the daemon goes on", said[-300:])
    report.expect(main_process(machine) == process != "0", "and it does", main_process(machine))
    opened = authctl(machine, "--device", "safe", "keychain", "get", "--account", "me", "--service", "mail")
    report.expect(opened.stdout.strip() == "gold", "the keychain is open still", opened.stdout + opened.stderr)
    report.expect("pam_localauth.so" in machine.run("cat", STACK).stdout, "a profile that is on stays on")
    machine.run("systemctl", "restart", "localauthd.service")
    shut = authctl(machine, "--device", "safe", "keychain", "get", "--account", "me", "--service", "mail")
    report.expect(shut.returncode == 22, "a restart shuts it", f"{shut.returncode} {shut.stderr}")
    authctl(machine, "--device", "safe", "device", "unlock", "--stdin", text=PASSCODE + "\n")
    opened = authctl(machine, "--device", "safe", "keychain", "get", "--account", "me", "--service", "mail")
    report.expect(opened.stdout.strip() == "gold", "and the passcode opens it", opened.stdout + opened.stderr)


def removed(machine, report, before):
    print("remove", flush=True)
    dpkg(machine, report, "the packages can be removed", "--remove", "libpam-localauth", "localauth", "localauth-doc")
    report.expect("pam_localauth" not in machine.shell("cat /etc/pam.d/common-*").stdout, "no stack names the module any more")
    report.expect(main_process(machine) in ("", "0"), "the daemon has ended", main_process(machine))
    left = {path for path in files(machine) - before if not path.startswith("sum ")}
    state = {path for path in left if path.startswith("/var/lib/localauth")}
    settings = {path for path in left if path.startswith("/etc/")}
    units = {path for path in left if path.startswith("/var/lib/systemd/deb-systemd-helper")}
    report.expect(left == state | settings | units, "nothing is left but state and settings",
                  sorted(left - state - settings - units))
    report.expect(any(path.endswith("/device.key") for path in state), "the state is there", sorted(state))
    install(machine, report, "next", "they install again")
    authctl(machine, "--device", "safe", "device", "unlock", "--stdin", text=PASSCODE + "\n")
    opened = authctl(machine, "--device", "safe", "keychain", "get", "--account", "me", "--service", "mail")
    report.expect(opened.stdout.strip() == "gold", "and find what was kept", opened.stdout + opened.stderr)


def purged(machine, report, before):
    print("purge", flush=True)
    dpkg(machine, report, "the packages can be purged", "--purge", "libpam-localauth", "localauth", "localauth-doc")
    after = files(machine)
    report.expect(after - before == set(), "nothing is there that was not there before", sorted(after - before))
    report.expect(before - after == set(), "nothing is missing that was there before", sorted(before - after))
    account = machine.run("getent", "passwd", "localauth").stdout
    report.expect(account == "", "the account is gone", account)
    state = machine.run("systemctl", "is-system-running").stdout.strip()
    report.expect(state == "running", "no unit failed", machine.run("systemctl", "--failed", "--no-legend").stdout)
