#!/usr/bin/env python3
"""Checks what can be seen of the packages without building them: check.py MAKE

The files that the packages take are those that `make install` installs, each in one package; the control file, the change
log and the maintainer scripts can be read; the Swift package that is shipped has each target that it names. It prints a
line for each mistake, and exits with 1 if there is one.
"""

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEBIAN = os.path.join(ROOT, "packaging", "debian")
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
# What debian/rules adds to the tree that `make install` makes, and what is taken from the sources.
ADDED = {"etc/apparmor.d/localauthd", "usr/share/swift/LocalAuth",
         "usr/lib/localauth/authenticators/fingerprint-reader.json"}
FROM_SOURCES = ("localauth-doc.install",)


def main(make):
    packages = stanzas(read("control"))
    mistakes = [*mistakes_of_control(packages), *mistakes_of_lists(make, packages), *mistakes_of_scripts(packages),
                *mistakes_of_version(), *mistakes_of_profile(), *mistakes_of_swift_package()]
    print("\n".join(mistakes) or "The packages take what is installed, and their scripts can be read.")
    return 1 if mistakes else 0


def read(name):
    with open(os.path.join(DEBIAN, name), encoding="utf-8") as file:
        return file.read()


def run(*command, **options):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def stanzas(text):
    """The fields of each package of a control file."""
    parts = [dict(re.findall(r"(?ms)^([A-Z][\w-]*): (.*?)$(?=\n\S|\n*\Z)", part)) for part in text.strip().split("\n\n")]
    return {part["Package"]: part for part in parts if "Package" in part}


def mistakes_of_control(packages):
    for name, fields in packages.items():
        for field in ("Architecture", "Depends", "Description"):
            if not fields.get(field, "").strip():
                yield f"control: {name} has no {field}"
    for file in os.listdir(DEBIAN):
        owner = file.partition(".")[0]
        if "." in file and owner not in packages:
            yield f"{file}: there is no package {owner}"


def patterns(packages):
    """Each file that a package takes, as written, and the package."""
    for package in packages:
        file = package + ".install"
        if file not in FROM_SOURCES and os.path.exists(os.path.join(DEBIAN, file)):
            for line in read(file).splitlines():
                yield line.split()[0], package
        elif file in FROM_SOURCES:
            for line in read(file).splitlines():
                if not os.path.exists(os.path.join(ROOT, line.split()[0])):
                    yield line, f"{package}, and is not in the sources"


def mistakes_of_lists(make, packages):
    words = re.search(r"(?s)^INSTALL := (.*?)\n[^ ]", read("rules"), re.M)[1].replace("\\\n", " ").split()
    settings = [word for word in words if "=" in word and not word.startswith("DESTDIR")]
    taken = list(patterns(packages))
    with tempfile.TemporaryDirectory() as stage:
        done = run(make, "-s", "install", "DESTDIR=" + stage, *settings)
        if done.returncode:
            yield "make install: " + done.stderr.strip()
            return
        files = [os.path.relpath(os.path.join(folder, name), stage) for folder, _, names in os.walk(stage) for name in names]
    # Below /usr programs find the daemon without being told.
    for file in sorted(set(files) - set(read("not-installed").split())):
        owners = {package for pattern, package in taken if takes(pattern, file)}
        if len(owners) != 1:
            yield f"{file} is installed, and taken by {', '.join(sorted(owners)) or 'no package'}"
    for pattern, package in taken:
        if pattern not in ADDED and not any(takes(pattern, file) for file in files):
            yield f"{pattern} is taken by {package}, and not installed"


def takes(pattern, file):
    return fnmatch.fnmatch(file, pattern) or fnmatch.fnmatch(file, pattern + "/*")


def mistakes_of_scripts(packages):
    scripts = [f"{package}.{kind}" for package in packages for kind in SCRIPTS
               if os.path.exists(os.path.join(DEBIAN, f"{package}.{kind}"))]
    for script in scripts:
        lines = read(script).splitlines()
        if lines[:2] != ["#!/bin/sh", "set -e"] or "#DEBHELPER#" not in lines:
            yield f"{script}: it must begin with #!/bin/sh and set -e, and have #DEBHELPER#"
    paths = [os.path.join(DEBIAN, script) for script in scripts]
    paths += [os.path.join(ROOT, "packaging", name) for name in ("deb.sh", "swift-source.sh")]
    for path in paths:
        done = run("sh", "-n", path)
        if done.returncode:
            yield done.stderr.strip()
    if shutil.which("shellcheck"):
        done = run("shellcheck", "--severity=warning", *paths)
        if done.returncode:
            yield done.stdout.strip()


def mistakes_of_version():
    first = re.match(r"localauth \(([^)]+)\) \S+; urgency=\w+\n\n  \* ", read("changelog"))
    if not first:
        yield "changelog: its first lines are not those of a change log of Debian's"
        return
    program = run(os.path.join(ROOT, ".build/programs/bin/authctl"), "--version").stdout.split()[-1]
    if first[1] != program:
        yield f"changelog: its version is {first[1]}, the programs' {program}"


def mistakes_of_profile():
    if shutil.which("apparmor_parser"):
        done = run("apparmor_parser", "--skip-kernel-load", "--skip-cache", "--quiet", "packaging/apparmor/localauthd")
        if done.returncode:
            yield done.stderr.strip()


def mistakes_of_swift_package():
    with tempfile.TemporaryDirectory() as folder:
        copied = run("sh", "packaging/swift-source.sh", ".", folder)
        if copied.returncode:
            yield copied.stderr.strip()
            return
        described = run(os.environ.get("SWIFT", "swift"), "package", "--package-path", folder, "dump-package")
        if described.returncode:
            yield "swift-localauth-dev: " + described.stderr.strip()
            return
        for target in json.loads(described.stdout)["targets"]:
            path = target.get("path") or "Sources/" + target["name"]
            if target["type"] == "test" or not os.path.isdir(os.path.join(folder, path)):
                yield f"swift-localauth-dev: the target {target['name']} does not belong there"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
