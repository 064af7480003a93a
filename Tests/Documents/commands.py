#!/usr/bin/env python3
"""Types every command that our texts show into interactive shells: commands.py PROGRAMS [ROOT] [WORD]

PROGRAMS has authctl and localauthd. The texts are the README, the pages of docs and Examples, the manual pages and what
--help prints. `shown.py` says what each command promises, or why it cannot be run here. Each block of commands has a home,
a directory and a terminal of its own, in bash, and in zsh and fish where they are installed. A command that nobody decided
about is a mistake, and so is a promise of a command that is not shown. WORD limits the run to commands with that word.
"""

import concurrent.futures
import glob
import os
import re
import subprocess
import sys

import shown
import typing_shell

# What a line of a manual page or of a help text begins with if it is a command.
COMMAND = re.compile(r"^(\w+=\S+ )*(authctl|localauthd|localauth-pam-worker|systemctl|systemd-\w+)\b|^\S.* \| authctl\b")
SHELL_BLOCK = re.compile(r"^```(sh|console)\n(.*?)^```$", re.M | re.S)
SPAN = re.compile(r"`(?:sudo )?(authctl [^`]+)`")


def pages(root):
    names = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/*.md", "Examples/*.md", "pam/*.md", "policies/*.md",
             "packaging/*.md", "systemd/*.md"]
    return sorted(path for name in names for path in glob.glob(os.path.join(root, name)))


def markdown(text):
    """The blocks of a page: a list of commands each."""
    for kind, block in SHELL_BLOCK.findall(text):
        lines = logical(block)
        if kind == "console":
            lines = [line[2:] for line in lines if line.startswith("$ ")]
        yield [line for line in lines if line.strip()]


def manual(text):
    """The displays of a manual page that are commands."""
    for block in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed$|((?:^\.Dl [^\n]*\n)+)", text, re.M | re.S):
        text = re.sub(r"^\.Dl ", "", block[0] or block[1], flags=re.M)
        for mark, sign in [("\\e", "\\"), ("\\(dq", '"'), ("\\-", "-"), ("\\(aq", "'")]:
            text = text.replace(mark, sign)
        yield [line for line in logical(text) if COMMAND.search(line)]


def help_texts(authctl):
    """What --help prints for each verb, in the order of the program."""
    waiting, seen = [[]], {}
    while waiting:
        verb = waiting.pop(0)
        printed = subprocess.run([authctl, *verb, "--help"], capture_output=True, text=True, check=True).stdout
        seen["authctl " + " ".join(verb + ["--help"])] = printed
        verbs = re.search(r"^(?:Verbs|VERBS):\n((?:  .*\n)+)", printed, re.M)
        for name in re.findall(r"^  ([a-z][\w-]*)", verbs[1], re.M) if verbs else []:
            waiting.append(verb + [name])
    return seen


def logical(text):
    """Lines, each joined to the next where it ends with a backslash."""
    return re.sub(r"\\\n\s*", "", text).splitlines()


def blocks(programs, root):
    """Every block of commands, by where it stands."""
    found = []

    def take(path, lists):
        for commands in lists:
            if commands:
                found.append((path, commands))

    for path in pages(root):
        take(os.path.relpath(path, root), markdown(read(path)))
    for path in sorted(glob.glob(os.path.join(root, "docs/man/*"))):
        take(os.path.relpath(path, root), manual(read(path)))
    for place, text in help_texts(os.path.join(programs, "authctl")).items():
        text = re.sub(r"^Usage:\n(  .*\n)+", "", text, flags=re.M)
        examples = [line.strip() for line in logical(text) if line.startswith("  ") and COMMAND.search(line.strip())]
        # Each is an example of its own.
        take(place, [[example] for example in examples])
    return found


def spans(root):
    """The commands within sentences: where, and which."""
    for path in pages(root):
        for span in SPAN.findall(re.sub(r"^```.*?^```$", "", read(path), flags=re.M | re.S)):
            yield os.path.relpath(path, root), span


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def undecided(found):
    """What is shown and nobody decided about, and what was decided and is not shown."""
    commands = {command for _, block in found for command in block}
    for path, block in found:
        for command in block:
            if command not in shown.COMMANDS:
                yield "%s: nobody decided about: %s" % (path, command)
            if re.search(r"\s# ", command):
                yield "%s: an interactive zsh takes the comment for words: %s" % (path, command)
    yield from ("shown.py: no text shows: %s" % command for command in shown.COMMANDS if command not in commands)


def unknown(programs, root):
    """Commands within sentences whose verb or options authctl does not have."""
    texts = help_texts(os.path.join(programs, "authctl"))
    for path, span in spans(root):
        words = re.split(r"[\s|]+", re.sub(r"\[|\]|…|--(device|home|socket|user) \S+|--(system|json|quiet)\b", " ", span).strip())[1:]
        verb = "authctl "
        while words and verb + words[0] + " --help" in texts:
            verb += words.pop(0) + " "
        options = texts[verb + "--help"] + texts["authctl --help"]
        for word in words:
            option = re.match(r"--[a-z][\w-]*", word)
            if option and option[0] not in options:
                yield "%s: %s has no %s" % (path, verb.strip(), option[0])
        if words and re.fullmatch(r"[a-z][a-z-]+", words[0]) and "Verbs:" in texts[verb + "--help"]:
            yield "%s: %s has no verb %s" % (path, verb.strip(), words[0])


def main(programs, root=".", word=""):
    programs = os.path.abspath(programs)
    found = blocks(programs, root)
    mistakes = list(undecided(found)) + list(unknown(programs, root))
    tasks = [(shell, path, block) for path, block in found for shell in typing_shell.installed()
             if any(word in command for command in block)]
    runs = {}
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count())) + 1) as pool:
        for shell, count, wrong in pool.map(lambda task: typing_shell.typed(programs, *task), tasks):
            runs[shell] = runs.get(shell, 0) + count
            mistakes += wrong
    print("\n".join(mistakes) or "The commands do what the texts say: %s; %d cannot be run here." % (
        ", ".join("%d in %s" % (count, shell) for shell, count in runs.items()),
        sum(isinstance(promise, str) for promise in shown.COMMANDS.values())))
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
