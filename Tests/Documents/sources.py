#!/usr/bin/env python3
"""Checks what documents say of where code is: sources.py [ROOT]

Each file that a walk of docs/walks.md names must be below Sources, and declare the functions that the walk enters
there. The tables of docs/walks.md and docs/architecture.md must have the numbers of calls, functions and files of
each walk. Each path below "Where a name lives" of docs/architecture.md must be there. It prints a line for each
mistake, and exits with 1 if there is one.
"""

import glob
import os
import re
import sys

DOCUMENTS = ["docs/walks.md", "docs/architecture.md"]
# A step is a file with what is entered in it, in order, or a part that is told once for all walks.
STEP = re.compile(r"(?:\d+\.|-) (?:`(?P<file>[^`]+\.swift)`: (?P<functions>.+)|\[[^]]+\]\(#(?P<part>[\w-]+)\))$")
ROW = re.compile(r"\| \[[^]]+\]\((?:walks\.md)?#(walk-[\w-]+)\) \| (\d+) \| (\d+) \| (\d+) \|")


def main(root):
    texts = {path: read(root, path) for path in DOCUMENTS}
    mistakes = ["docs/architecture.md: there is no %s" % path for path in lost_places(root, texts[DOCUMENTS[1]])]
    mistakes += mistakes_of_walks(root, texts)
    print("\n".join(mistakes) or "The documents lead to code that is there.")
    return 1 if mistakes else 0


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


# Places.


def lost_places(root, text):
    """The paths of the table that lead nowhere; one without a folder is beside the one before it."""
    table = re.search(r"(?ms)^## Where a name lives$(.*?)^## ", text)[1]
    folder = "."
    for path in re.findall(r"`((?:[\w+*.-]+/)*[\w+*.-]*(?:\.swift|\.varlink|\.json|/))`", table):
        found = [place for place in (folder, "Sources", ".") if glob.glob(os.path.join(root, place, path))]
        if not found:
            yield path
        elif "/" in path:
            folder = os.path.join(found[-1], os.path.dirname(path))


# Walks.


def mistakes_of_walks(root, texts):
    sections, mistakes = sections_of(texts[DOCUMENTS[0]])
    for file, name in sorted({call for calls in sections.values() for call in calls if call[0]}):
        if not declares(root, file, name):
            mistakes.append("docs/walks.md: Sources/%s declares no %s" % (file, name))
    for walk in sorted(name for name in sections if name.startswith("walk-")):
        numbers = count(sections, walk)
        for path, text in texts.items():
            rows = [tuple(map(int, row[1:])) for row in ROW.findall(text) if row[0] == walk]
            if rows != [numbers]:
                mistakes.append("%s: %s has %d calls of %d functions in %d files" % (path, walk, *numbers))
    return mistakes


def sections_of(text):
    """The steps below each heading by its anchor, each a file and a function or nothing and a part."""
    sections, mistakes, steps = {}, [], []
    for line in text.splitlines():
        if line.startswith("#"):
            name = re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")
            steps = sections.setdefault(name, [])
            continue
        found = STEP.match(line)
        if found and found["part"]:
            steps.append((None, found["part"]))
        elif found:
            steps += [(found["file"], name) for name in re.findall(r"`(\w+)`", found["functions"])]
    walks = [name for name in sections if name.startswith("walk-")]
    for part in {part for name in walks for file, part in sections[name] if not file} - set(sections):
        mistakes.append("docs/walks.md: there is no part #%s" % part)
        sections[part] = []
    return sections, mistakes


def declares(root, file, name):
    path = os.path.join("Sources", file)
    if not os.path.exists(os.path.join(root, path)):
        return False
    pattern = r"\binit[?(<]" if name == "init" else r"\bfunc %s\b" % name
    return re.search(pattern, read(root, path)) is not None


def count(sections, walk):
    calls = []
    for file, name in sections[walk]:
        calls += [(file, name)] if file else sections[name]
    return len(calls), len(set(calls)), len({file for file, _ in calls})


if __name__ == "__main__":
    default = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else default))
