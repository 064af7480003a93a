#!/usr/bin/env python3
"""Runs the articles of the reference: articles.py PROGRAMS ARTICLES [ROOT]

PROGRAMS has authctl and localauthd, ARTICLES the programs of Examples/Articles. Each catalogue of the reference must
have an article with a program in it, equal to the file that the comment before it names, and each of those programs
must be in one. A block of commands that says so is replayed, in a home of its own: what follows a command is all that
it prints. It prints a line for each mistake, and exits with 1 if there is one.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = re.compile(r"^<!-- A test compares this with (?P<path>\S+), which is compiled and run\. -->\n"
                     r"```swift\n(?P<code>.*?)^```$", re.M | re.S)
REPLAYED = re.compile(r"^<!-- A test replays this block: a line that begins with \"\$ \" is a command, what follows is "
                      r"all it prints\. -->\n```console\n(?P<steps>.*?)^```$", re.M | re.S)
PROGRAMS = ["Examples/Articles/Sources/*/main.swift", "Examples/Articles/Tests/*/*.swift"]


def main(programs, built, root="."):
    mistakes, shown, replayed = [], set(), 0
    for catalogue in sorted(glob.glob(root + "/Sources/*/*.docc")):
        found = 0
        for path in sorted(glob.glob(catalogue + "/*.md")):
            text = read(path)
            for block in PROGRAM.finditer(text):
                found += 1
                shown.add(os.path.normpath(block["path"]))
                source = os.path.join(root, block["path"])
                if not os.path.exists(source) or read(source) != block["code"]:
                    mistakes.append("%s: the program is not that of %s" % (path, block["path"]))
            for block in REPLAYED.finditer(text):
                replayed += 1
                mistakes += ["%s: %s" % (path, what) for what in replay(block["steps"], programs, built)]
        if not found:
            mistakes.append("%s: no article has a program" % catalogue)
    for path in [found for pattern in PROGRAMS for found in glob.glob(os.path.join(root, pattern))]:
        if os.path.normpath(os.path.relpath(path, root)) not in shown:
            mistakes.append("%s: no article shows it" % path)
    print("\n".join(mistakes) or "The articles say what their programs do: %d programs, %d runs." % (len(shown), replayed))
    return 1 if mistakes else 0


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def steps(text):
    """The commands of a block, each with what it is to print."""
    commands = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            commands.append([line[2:], ""])
        elif not commands:
            return []
        elif line.startswith("> ") and not commands[-1][1]:
            commands[-1][0] += line[2:]
        else:
            commands[-1][1] += line
    return commands


def replay(text, programs, built):
    """What is not as the block says."""
    commands = steps(text)
    if not commands:
        yield "a block to replay begins with no command"
    with tempfile.TemporaryDirectory(prefix="articles.") as home:
        place = {"PATH": "%s:%s:/usr/bin:/bin" % (programs, built), "HOME": home, "XDG_RUNTIME_DIR": home, "LC_ALL": "C.UTF-8"}
        # Commands of one block share a shell, for what they keep in variables.
        script = "".join("%s\nprintf '\\036'\n" % command for command, _ in commands)
        try:
            run = subprocess.run(
                ["/bin/sh", "-c", script], env=place, cwd=home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=60, start_new_session=True)
            for (command, expected), seen in zip(commands, run.stdout.decode(errors="replace").split("\036")):
                if seen != expected:
                    yield "$ %s printed %r, not %r" % (command.strip(), seen, expected)
        except subprocess.TimeoutExpired:
            yield "the block did not end within a minute"
        finally:
            subprocess.run(["authctl", "--quiet", "daemon", "stop"], env=place, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
