#!/usr/bin/env python3
"""Draws the pictures of docs/architecture.md with Graphviz: architecture.py [--check]

`targets.svg` shows the targets of the manifest (targets.py), `request.svg` the way of one request, as request.txt
tells it (request.py). Each picture holds the text that it was drawn from. With --check nothing is drawn and
Graphviz is not needed: the text is made anew, and the exit status is 1 where a picture holds another.
"""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

import request
import targets

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(FOLDER, "..", "..")
SWIFT = os.environ.get("SWIFT", "swift")


def pictures():
    """Each picture: its file, the program that draws it, the text for that, and what it shows in words."""
    return [
        ("targets.svg", "dot", targets.graph(SWIFT), "The targets of LocalAuth and what each is built on"),
        ("request.svg", "neato -n", request.graph(ROOT), "The way of one request through LocalAuth"),
    ]


def draw(name, program, text, title):
    if not shutil.which(program.split()[0]):
        sys.exit("architecture.py: %s is missing. Install it: apt install graphviz" % program.split()[0])
    drawn = subprocess.run(
        [*program.split(), "-Tsvg"], input=text, stdout=subprocess.PIPE, check=True, text=True,
    ).stdout
    # Comments only repeat the names of nodes.
    drawn = re.sub(r"<!--.*?-->\n?", "", drawn, flags=re.S)
    start, tag, rest = re.split(r"(<svg [^>]*)>", drawn, maxsplit=1)
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        file.write(
            '%s%s role="img" aria-label="%s">\n<metadata>%s</metadata>%s' % (start, tag, title, escape(text), rest)
        )


def drawn_from(name):
    """The text that a picture holds; nothing where there is no picture."""
    path = os.path.join(FOLDER, name)
    if not os.path.exists(path):
        return ""
    return ElementTree.parse(path).find("{http://www.w3.org/2000/svg}metadata").text


def difference(name, text):
    """The first line in which a picture differs from what it should show; None where it does not."""
    drawn, wanted = drawn_from(name).split("\n"), text.split("\n")
    if drawn == wanted:
        return None
    for number in range(max(len(drawn), len(wanted))):
        old, new = ("".join(lines[number:number + 1]) for lines in (drawn, wanted))
        if old != new:
            return "  it shows:    %s\n  it should be: %s" % (old.strip(), new.strip())


def main():
    os.chdir(ROOT)
    if "--check" not in sys.argv:
        for picture in pictures():
            draw(*picture)
        return
    found = [(name, difference(name, text)) for name, _, text, _ in pictures()]
    stale = ["docs/images/%s is out of date: make pictures\n%s" % one for one in found if one[1]]
    if stale:
        sys.exit("\n".join(stale))
    print("The pictures of the architecture show what is there.")


if __name__ == "__main__":
    main()
