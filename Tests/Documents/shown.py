"""What each command that our texts show promises, or why it cannot be typed by a test."""

import dataclasses
import os
import re
import subprocess
import typing

POSIX = ("bash", "zsh")
ALL = ("bash", "zsh", "fish")
# What computes for seconds, and says nothing about shells.
ONCE = ("bash",)


@dataclasses.dataclass(frozen=True)
class does:  # noqa: N801, a line of the table reads as a sentence
    """What happens after a command was typed.

    `shows` is a pattern of what is on the screen, `answers` are what is waited for and typed then, `needs` the commands
    that were run before, and what each read, `leaves` what files have in them afterwards, `beside` what runs in another terminal.
    """

    shows: str = ""
    answers: tuple = ()
    status: int = 0
    needs: tuple = ()
    leaves: dict = dataclasses.field(default_factory=dict)
    beside: str = ""
    shells: typing.Sequence = ALL


def touch(place, command):
    """Lays the enrolled finger on the sensor of the device that the command names."""
    device = re.search(r"--device (\w+)", command)
    place.run("--device", device[1] if device else "sim", "sensor", "touch", "right-index", "--wait")


def happens(place, command):
    """Something that the audit of the device `desk` tells."""
    place.run("--device", "desk", "evaluate", "--policy", "biometrics", "--reason", "test", "--script", "match")


def themes(place, command):
    """Changes of a store, one after another until its watch has begun."""
    for theme in ("light", "dark") * 10:
        place.run("--device", "demo", "kv", "set", "theme", theme)


def days(place, command):
    """Documents, one after another until a watch of them has begun."""
    for day in ("bread", "milk") * 10:
        place.run("--device", "demo", "doc", "put", "notes/today.txt", typed=day + "\n")


def counts(place, command):
    """Rows, one after another until a watch of them has begun."""
    for count in "23" * 10:
        place.run("--device", "demo", "table", "set", "notes", "milk", "count:int=" + count)


FINGER = (("SIMULATED DEVICE", touch),)
CODE = (("SIMULATED DEVICE", "\t"), ("Passcode:", "2468\r"))
TWICE = (("Secret", "hunter2\r"), ("gain", "hunter2\r"))
NEW_PASSWORD = (("assword", "a password of twelve\r"), ("gain", "a password of twelve\r"))
YES = (("?", "y\r"),)
# All shipped policies take minutes; an interrupt ends them with what was explored.
PROVING = (("states/s", "\x03"),)

MAIL = (("keychain add mail/me --stdin", "hunter2"),)
OTHERS = (("keychain add mail/you --stdin", "tr0ub4dor"), ("keychain add db/app --stdin", "db-secret"))
PROTECTED = (("--device demo file protect notes.txt", ""),)
BACKED_UP = (("--device demo backup create demo.backup --device-only", ""),)
THEMED = (("--device demo kv set theme dark", ""),)
ROWED = (("--device demo table set notes milk title=Milk count:int=2", ""),)
NOTED = (("--device demo doc put notes/today.txt", "bread\n"),)
LISTED = (("backup create demo.backup --device-only", ""),)
SEALED = (("rncrypt encrypt --in notes.txt --out notes.rnc --password-stdin", "tr0ub4dor"),)
CODES = (("keychain add mail/me --code --stdin", "JBSWY3DPEHPK3PXP"),)

EVALUATE = "authctl --device %s evaluate --policy biometrics --reason test"
TOOK = "success by fingerprint"
DEPLOYED = r"deployed with 0\n"

CODES_PROGRAM = os.path.abspath(os.path.join(__file__, "../../../Examples/CodeAuthenticator/code-authenticator"))

# What lies in the directory in which the commands are typed.
FILES = {
    "today.txt": "milk\n",
    "other.txt": "eggs\n",
    "deploy": "#!/bin/sh\necho deployed with $#\n",
    "migrate": "#!/bin/sh\necho migrated with ${#DB_PASSWORD} letters\n",
    "server": "#!/bin/sh\necho serves with ${#DB_PASSWORD} letters\n",
    "fetch": "#!/bin/sh\necho fetched with ${#MAIL_PASSWORD} letters\n",
    "production.env": "DB_PASSWORD=localauth://db/app\n",
    "config.template": "password = {{ localauth://db/app }}\n",
    "fetch.template": "user = me\npassword = {{ localauth://mail/me }}\n",
    "passcode": "2468\n",
    "notes.txt": "a note\n",
    "passwords.csv": "name,url,username,password,note\nmail,https://mail.example,me,hunter2,\n",
    "reader.json": '{"name": "reader", "summary": "Ours.", "source": "Measured.", "calibration": {"dPrime": 6.17, "falseMatch": 0.00002}}\n',
    "totp.json": '{"name": "totp", "summary": "Codes.", "program": "%s", "kind": "code", "asks": "text"}\n' % CODES_PROGRAM,
}
# Programs that a reader has, and the machine of a test does not.
TOOLS = {
    "pass": "#!/bin/sh\necho 2468\n",
    "ssh": "#!/bin/sh\nshift; exec sh -c \"$*\"\n",
    "nano": "#!/bin/sh\necho more >> \"$1\"\n",
    "xclip": "#!/bin/sh\ncase \"$*\" in *-out*) cat ~/clipboard ;; */dev/null*) : > ~/clipboard ;; "
             "*) cat > ~/clipboard; echo $$ > ~/owner; exec tail -f /dev/null ;; esac\n",
}

MAKE = "a run of make test is where this test runs; make run and make help have steps of their own in .ci"
READER = "it needs a fingerprint reader; ReaderTests do the same with a virtual one"
MOUNTED = "it mounts a file system, which not every machine lets; MountVerbTests do the same in a mount namespace of their own"
INSTALLED = "it changes the machine; make deb-test and make system-test install and start the programs in a container"
VERSIONED = "needs two devices that write at once, as SyncDocumentsTests have them"
HUB = "needs a PostgreSQL server of its own, as HubAdministrationTests and SyncTests have one"
APP = "it builds the app; NotesProgramTests of Examples/Notes runs it in a terminal"
SERVED = "it serves until it is ended; the tests of the examples run it"

COMMANDS = {
    # README.md, Examples/README.md and CONTRIBUTING.md
    "make run": MAKE,
    "make test": MAKE,
    "make programs && PATH=$PWD/.build/programs/bin:$PATH": MAKE,
    "echo 2468 | authctl device create demo --finger right-index --passcode-stdin": does("demo is ready"),
    'authctl --device demo evaluate --policy biometrics --reason "try it" --script miss,match; echo $?':
        does(TOOK + r".*\n0\n", shells=POSIX),
    'authctl --device demo evaluate --policy biometrics --reason "try it" --script miss,miss,miss; echo $?':
        does(r"Biometry is locked.*\n10\n", shells=POSIX),
    'authctl --device demo evaluate --policy device-owner --reason "try it" --script passcode:2468; echo $?':
        does(r"success by passcode.*\n0\n", shells=POSIX),
    'authctl --device demo evaluate --policy device-owner --reason "deploy to production" && echo deployed':
        does(r"deployed\n", CODE),
    "authctl --device demo sensor touch right-index --wait": does(beside=EVALUATE % "demo"),
    "mkdir -p /tmp/production/releases/r42": "it writes outside of the test's directory; DeployScriptTests runs the script",
    "LOCALAUTH_DEVICE=demo LOCALAUTH_ALLOW_SIMULATED=1 Examples/deploy.sh /tmp/production r42":
        "it writes outside of the test's directory; DeployScriptTests runs the script",
    "python3 -m venv /tmp/step-up && /tmp/step-up/bin/python -m pip install -r Examples/requirements.txt":
        "it loads from PyPI; .ci/setup does the same, and PythonServiceTests runs what it made",
    "authctl jwks --simulated > /tmp/keys.json && /tmp/step-up/bin/python Examples/step-up-service.py"
    " --keys /tmp/keys.json --device demo --allow-simulated": SERVED,
    "authctl jwks --simulated > /tmp/keys.json && swift run --package-path Examples/StepUpService"
    " step-up-service --keys /tmp/keys.json --allow-simulated": SERVED,
    "swift run --package-path Examples/StepUpService step-up-client --device demo DELETE http://127.0.0.1:8042/releases/42":
        SERVED,
    "url=http://127.0.0.1:8042/releases/42": SERVED,
    "challenge=$(curl -s -X DELETE -o /tmp/demand.json -w '%header{www-authenticate}' \"$url\")": SERVED,
    r"""word() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" /tmp/demand.json; }""": SERVED,
    'proof=$(authctl --device demo evaluate --reason "a request" --challenge "$challenge" --assertion'
    ' --action "$(word action)" --audience http://127.0.0.1:8042 --nonce "$(word nonce)")': SERVED,
    'curl -X DELETE -H "Authorization: Bearer $proof" "$url"': SERVED,
    "LOCALAUTH_DEVICE=demo LOCALAUTH_ALLOW_SIMULATED=1 swift run --package-path Examples/Notes notes": APP,
    "LOCALAUTH_DEVICE=demo LOCALAUTH_ALLOW_SIMULATED=1 swift run --package-path Examples/Notes notes-open notes.rnc": APP,
    "authctl --device demo device lock": does("demo is locked"),
    'echo "a note from outside" | LOCALAUTH_DEVICE=demo LOCALAUTH_ALLOW_SIMULATED=1'
    " swift run --package-path Examples/Notes notes receive": APP,
    "echo 2468 | authctl --device demo device unlock --stdin": does("demo is unlocked"),
    "authctl --device demo backup create notes.backup": does("notes.backup has", NEW_PASSWORD),
    "authctl --device demo keychain delete --service io.localauth.notes --account profile --yes": does(
        "1 item was deleted",
        needs=(("--device demo keychain add --service io.localauth.notes --account profile --stdin", "ann"),)),
    "echo 2468 | authctl device create phone --finger right-index --passcode-stdin": does("phone is ready"),
    "authctl --device phone backup restore notes.backup": does("restored", NEW_PASSWORD[:1]),
    "LOCALAUTH_DEVICE=phone LOCALAUTH_ALLOW_SIMULATED=1 swift run --package-path Examples/Notes notes --home /tmp/phone": APP,

    # docs
    "LOCALAUTH_DEVICE=ephemeral LOCALAUTH_ALLOW_SIMULATED=1 LOCALAUTH_LOCKOUT=apple LOCALAUTH_EPHEMERAL_PASSCODE=1234 ./app":
        "it is a program of the reader's; the tests of Examples/Vault run one so",
    'authctl evaluate --policy device-owner --reason "deploy to production" && ./deploy': does(DEPLOYED, CODE),
    "authctl --device demo keychain add mail/me --access-control biometryAny": does("was added", TWICE),
    "password=$(authctl --device demo keychain get mail/me)": does(answers=FINGER, shells=POSIX),
    'authctl exec --reason "deploy to production" -- ./deploy --all': does("deployed with 1", CODE),
    "authctl --device demo keychain add --service mail --account me --access-control biometryAny": does("was added", TWICE),
    "MAIL_PASSWORD=localauth://mail/me authctl --device demo run -- ./fetch": does("fetched with 7", FINGER),
    "authctl --device demo inject --in fetch.template --out fetch.conf":
        does(needs=(("--device demo keychain add mail/me --stdin", "hunter2"),), leaves={"fetch.conf": "password = hunter2"}),
    'authctl evaluate --policy device-owner --reason "release" --action "publish 1.4" --max-age 5m': does("success", CODE),
    "authctl grant list": does("publish 1.4"),
    'token=$(authctl evaluate --policy device-owner --reason "pay" --action "pay 10 to ann"'
    ' --assertion --audience https://pay.example --nonce "$nonce_of_the_service")': does(answers=CODE, shells=POSIX),
    "authctl --device demo sensor touch right-index-finger --wait &": does(),
    "authctl --device demo evaluate --policy biometrics --reason test --headless": does(TOOK),
    "authctl authenticator check ./totp.json": does("keeps the rules", shells=ONCE),
    "authctl policy explain device-owner": does("Asks for a finger"),
    "authctl policy solve device-owner --attacker presentation --plot worth.svg": does(leaves={"worth.svg": "</svg>"}, shells=ONCE),
    "authctl policy simulate device-owner --population 10000 --sensor goats": does("10,?000", shells=ONCE),
    "authctl policy solve device-owner --sensor reader.json": does("reader", shells=ONCE),
    "authctl policy solve device-owner --sensor goats --days 3 --prism login.prism":
        does(leaves={"login.prism": "dtmc"}, shells=ONCE),
    "storm --prism login.prism --prop login.props --eqsolver eigen --eigen:method sparselu":
        "Debian has no package of it; PolicyOracleTests asks its Python module, which .ci/setup installs",
    "authctl policy choose --rule apple --iapar 0.05 --max-attack pin=0.001": does("decides", shells=ONCE),
    "authctl policy choose --max-attack pin=0.001 --max-lockouts 10 --max-time 5s": does("decides", shells=ONCE),
    "authctl policy choose --rule apple --max-cost 60 --out chosen.json": does(leaves={"chosen.json": "chosen"}, shells=ONCE),
    "authctl policy report device-owner work-laptop --compare --out policies.html":
        does(leaves={"policies.html": "side by side"}, shells=ONCE),
    "authctl policy prove device-owner": does("hold", shells=ONCE),
    "authctl policy diff three-strikes apple": does("three-strikes"),
    "sudo install -m 644 packaging/fprintd/fingerprint-reader.json /etc/localauth/authenticators/": INSTALLED,
    "authctl daemon reload": does("read anew"),
    "authctl sensor enroll right-index": READER,
    'authctl evaluate --policy device-owner-parallel --reason "try the reader"': READER,
    "make programs module": MAKE,
    "make install PREFIX=/usr/local": INSTALLED,
    "make deb": INSTALLED,
    "sudo apt install ./.build/deb/localauth_*.deb ./.build/deb/libpam-localauth_*.deb": INSTALLED,
    "systemd-sysusers && systemd-tmpfiles --create": INSTALLED,
    "systemctl enable --now localauthd.socket localauth-pam-worker.socket": INSTALLED,
    "authctl --system status": INSTALLED,
    "useradd --system --home-dir /var/lib/localauth --shell /usr/sbin/nologin localauth": INSTALLED,
    "/usr/local/libexec/localauth/localauth-pam-worker --listen --socket /run/localauth-pam/socket &": INSTALLED,
    "/usr/local/libexec/localauth/localauthd --system &": INSTALLED,
    "localauth-pam-worker --listen --socket /run/localauth-pam/socket": INSTALLED,
    "localauthd --system": INSTALLED,

    # docs/man
    "echo 2468 | authctl device create sim --finger right-index-finger --passcode-stdin": does("sim is ready"),
    "authctl --device sim evaluate --policy biometrics --reason test --script miss,match:right-index-finger": does(TOOK),
    "authctl --device sim evaluate --policy biometrics --reason test": does(TOOK, FINGER),
    "authctl --device sim sensor touch right-index-finger --wait": does(beside=EVALUATE % "sim"),
    "authctl --device sim keychain add mail/me --access-control biometryAny": does("was added", TWICE),
    "authctl --device sim keychain get mail/me --script match": does("hunter2"),
    "MAIL_PASSWORD=localauth://mail/me authctl run -- ./fetch": does("fetched with 7", needs=MAIL),
    "authctl inject --in fetch.template --out fetch.conf": does(leaves={"fetch.conf": "password = hunter2"}, needs=MAIL),
    "authctl evaluate --policy passcode --reason deploy --passcode-fd 3 3< <(pass show login)":
        does("success by passcode", shells=POSIX),

    # --help
    'authctl evaluate --policy device-owner --reason "deploy" && ./deploy': does(DEPLOYED, CODE),
    "authctl --device sim evaluate --policy biometrics --reason test --script match": does(TOOK),
    "authctl --device sim evaluate --policy biometrics --reason test --headless": does(TOOK, (("", touch),)),
    'authctl evaluate --policy device-owner --reason pay --action "pay 10 to ann" --assertion'
    " --audience https://pay.example --nonce 8c2f": does(r"ey[\w-]+\.[\w-]+\.[\w-]+", CODE),
    "authctl exec --reason deploy -- ./deploy --to production": does("deployed with 2", CODE),
    "DB_PASSWORD=localauth://db/app authctl run -- ./migrate --all": does("migrated with 9", needs=OTHERS),
    "authctl run --env-file production.env -- ./server": does("serves with 9", needs=OTHERS),
    "authctl inject --in config.template --out config.toml": does(leaves={"config.toml": "db-secret"}, needs=OTHERS),
    "authctl --device demo file protect notes.txt": does("protected: complete"),
    "authctl --device demo file unprotect notes.txt": does("not protected any more", needs=PROTECTED),
    "authctl --device demo file cat notes.txt": does("a note", needs=PROTECTED),
    "authctl --device demo file status notes.txt": does("notes.txt: complete, 7 bytes, sealed", needs=PROTECTED),
    "authctl --device demo file verify notes.txt": does("notes.txt: complete, 7 bytes, whole", needs=PROTECTED),
    "authctl --device demo file verify --recursive vault": MOUNTED,
    "authctl --device demo file protect --class none notes.txt passwords.csv": does(r"2 files\."),
    "authctl --device demo file reclass --class none notes.txt": does("protected otherwise: none", needs=PROTECTED),
    "authctl --device demo file export notes.txt plain.txt": does(leaves={"plain.txt": "a note"}, needs=PROTECTED),
    "authctl --device demo file run notes.txt -- grep note {}": does("a note", needs=PROTECTED),
    "EDITOR=nano authctl --device demo file edit notes.txt": does("is changed: complete", needs=PROTECTED),
    "authctl file default . after-first-unlock": does(r"\.: protected as after-first-unlock"),
    "authctl --device demo file mount vault open": MOUNTED,
    "authctl file unmount open": MOUNTED,
    "authctl --device demo device watch": does(answers=(("everything can be read", "\x03"),), status=130),
    "authctl --device demo backup create demo.backup --generate": does(r"[a-z0-9]{24}"),
    "authctl --device demo backup create demo.backup --generate --with-file-keys":
        does(r"[a-z0-9]{24}", answers=(("Passcode of demo", "2468\n"),)),
    "authctl --device demo backup create demo.backup --device-only": does("demo.backup has"),
    "authctl backup list demo.backup": does("opened by its device alone", needs=LISTED),
    "authctl --device demo backup verify demo.backup": does("demo.backup is whole", needs=BACKED_UP),
    "authctl --device demo backup restore demo.backup --dry-run": does("would be restored", needs=BACKED_UP),
    "authctl --device demo backup restore demo.backup": does("items? restored", needs=BACKED_UP),
    "authctl sync found db.example.org --ca hub.pem --name laptop": HUB,
    "authctl sync invite": HUB,
    "authctl sync join db.example.org --ca hub.pem --name server": HUB,
    "authctl keychain add mail/me --synchronizable": HUB,
    "authctl sync status": HUB,
    "authctl sync approve --policy biometrics-and-passcode": HUB,
    "authctl sync remove server": HUB,
    "authctl sync exposed": HUB,
    "authctl sync conflicts": HUB,
    "authctl sync resolve 5c0ffee1 --restore": HUB,
    "authctl sync recovery-key": HUB,
    "authctl sync recover db.example.org --ca hub.pem --name replacement": HUB,
    "authctl sync move new.example.org --ca hub.pem": HUB,
    'authctl hub install "host=/run/postgresql dbname=localauth"': HUB,
    'authctl hub found "host=/run/postgresql dbname=localauth" --out code.txt': HUB,
    'authctl hub remove-circle 7 "host=/run/postgresql dbname=localauth"': HUB,
    "authctl --device demo kv set theme dark": does("theme was set"),
    "authctl --device demo kv set volume 11 --type int": does("volume was set"),
    "authctl --device demo kv set window '{\"width\": 800, \"open\": true}' --type json": does("window was set"),
    "authctl --device demo kv get theme": does("dark", needs=THEMED),
    "authctl --device demo kv list": does("theme +string +dark", needs=THEMED),
    "authctl --device demo kv remove theme": does("theme was removed", needs=THEMED),
    "date > today.txt": does(),
    "authctl --device demo doc put notes/today.txt today.txt": does("notes/today.txt was written"),
    "date | authctl --device demo doc put notes/now.txt": does("notes/now.txt was written"),
    "authctl --device demo doc list": does(r"notes/today.txt +\d+ bytes", needs=NOTED),
    "authctl --device demo doc list notes/": does(r"notes/today.txt +\d+ bytes", needs=NOTED),
    "authctl --device demo doc get notes/today.txt": does("bread", needs=NOTED),
    "authctl --device demo doc get notes/today.txt today.txt": does("today.txt is a copy", needs=NOTED),
    "authctl --device demo doc get notes/today.txt copy.txt": does("copy.txt is a copy", needs=NOTED),
    "authctl --device demo doc get notes/today.txt other.txt --content VERSION": VERSIONED,
    "authctl --device demo doc put notes/today.txt other.txt": does("notes/today.txt was written"),
    "authctl --device demo doc remove notes/today.txt": does("notes/today.txt was removed", needs=NOTED),
    "authctl --device demo doc versions notes/today.txt": does(r"\d+ bytes .*current", needs=NOTED),
    "authctl --device demo doc settle notes/today.txt": does("has no conflict", needs=NOTED),
    "authctl --device demo doc watch": does(answers=(("", days), ("changed: notes/today.txt", "\x03")), status=130),
    "authctl --device demo table set notes milk title=Milk count:int=2": does("milk of notes was"),
    "authctl --device demo table set notes milk count:null=": does("milk of notes was", needs=ROWED),
    "authctl --device demo table get notes milk": does("title +string +Milk", needs=ROWED),
    "authctl --device demo table get notes milk title": does("Milk", needs=ROWED),
    "authctl --device demo table list": does("notes +milk +count=2 title=Milk", needs=ROWED),
    "authctl --device demo table list notes": does("notes +milk +count=2 title=Milk", needs=ROWED),
    "authctl --device demo table remove notes milk": does("1 row of notes removed", needs=ROWED),
    "authctl --device demo table watch": does(answers=(("", counts), ("changed: milk of notes", "\x03")), status=130),
    "authctl --device demo kv watch": does(answers=(("", themes), ("changed: theme", "\x03")), status=130),
    "authctl rncrypt encrypt --in notes.txt --out notes.rnc":
        does("notes.rnc was written", answers=(("New password", "tr0ub4dor\r"), ("again", "tr0ub4dor\r"))),
    "authctl rncrypt decrypt --in notes.rnc --out notes.txt":
        does(answers=(("Password", "tr0ub4dor\r"),), leaves={"notes.txt": "a note"}, needs=SEALED),
    "authctl rncrypt decrypt --in notes.rnc --show": does("a note", answers=(("Password", "tr0ub4dor\r"),), needs=SEALED),
    "authctl inject < config.template | ssh server 'cat > config.toml'":
        does(leaves={"config.toml": "db-secret"}, needs=OTHERS),
    "authctl --device demo panel": does(answers=(("Asked", "q"),)),
    "authctl agent": does(answers=(("itin", "\x03"),), status=130),
    "authctl keychain add mail/me": does("was added", TWICE),
    "authctl keychain get mail": does("hunter2", needs=MAIL),
    "authctl jwks > keys.json": does(leaves={"keys.json": '"keys"'}),
    "authctl jwks rotate": does("keys"),
    "authctl audit --since today --outcome failure": does(),
    "authctl audit --device desk --follow": does(answers=(("", happens), ("fingerprint", "\x03")), status=130),
    "authctl audit --summary --since 7d": does(),
    "authctl device create sim --finger right-index --passcode-stdin < passcode": does("sim is ready"),
    "authctl --device sim sensor script miss,match:right-index --times always": does(),
    "authctl keychain add --account me --service mail --access-control biometryAny": does("was added", TWICE),
    "pass show mail | authctl keychain add mail/me --stdin --update": does("was changed", needs=MAIL),
    "authctl keychain add mail/me --code": does("was added", (("or key:", "JBSWY3DPEHPK3PXP\r"),)),
    "authctl keychain generate mail/me": does("was added"),
    "authctl keychain generate pin --length 6 --characters digits --show": does(r"(?m)^\d{6}\n"),
    "authctl keychain get mail/me": does("hunter2", needs=MAIL),
    "authctl keychain get --account me --service mail": does("hunter2", needs=MAIL),
    "authctl keychain get mail/me --clipboard": does("clipboard", needs=MAIL, leaves={"../clipboard": "hunter2"}),
    "authctl keychain update mail/me --set-secret": does("changed", TWICE, needs=MAIL),
    "authctl keychain delete mail/me": does("deleted", YES, needs=MAIL),
    "authctl keychain delete --service mail": does("2 items were deleted", YES, needs=MAIL + OTHERS),
    "authctl keychain list": does("db", needs=MAIL + OTHERS),
    "authctl keychain list mail --dates": does("20\\d\\d-", needs=MAIL + OTHERS),
    "authctl keychain find mail": does("you", needs=MAIL + OTHERS),
    "authctl keychain code mail/me": does(r"\d{6}", needs=CODES),
    "authctl keychain delete code:mail/me": does("deleted", YES, needs=CODES),
    "authctl keychain edit mail/me": does("changed", TWICE, needs=MAIL),
    "authctl keychain import passwords.csv --dry-run": does("1 item would be added"),
    "authctl keychain import passwords.csv --access-control userPresence": does("1 item was added"),
    "authctl keychain export --out items.json": does(answers=CODE, leaves={"items.json": "mail"}, needs=MAIL),
    "authctl keychain export --format keepassxc --out items.csv":
        does(answers=CODE, leaves={"items.csv": "hunter2"}, needs=MAIL),
    "authctl policy prove --all": does("hold", PROVING, status=3),
    "authctl policy prove --all --profile apple --states 200000": does("hold", PROVING, status=3),
    "authctl policy diff biometrics device-owner": does("biometrics"),
    "authctl grant revoke 3fa4": does(status=20),
    "authctl grant revoke --all": does(),
}
