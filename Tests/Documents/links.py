#!/usr/bin/env python3
"""Checks the links of the documents: links.py [ROOT]

Each link of a Markdown file to another file or to a heading must lead somewhere, and docs/README.md, the
index, must link every document, decision and manual page. Links to other hosts are not followed. It prints a
line for each mistake, and exits with 1 if there is one.
"""

import os
import re
import sys

INDEX = "docs/README.md"
# What the index must link: each document, decision, manual page and README that a reader may look for.
INDEXED = re.compile(r"(docs/(decisions/)?[\w-]+\.md|docs/man/.+|(Examples|policies|pam)/README\.md|[A-Z]+\.md)$")


def main(root):
    files = sorted(all_files(root))
    mistakes = []
    linked = {INDEX, "README.md"}
    for path in files:
        if not path.endswith(".md"):
            continue
        for link in links(read(root, path)):
            target, _, anchor = link.partition("#")
            goal = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if path == INDEX:
                linked.add(goal)
            if not os.path.exists(os.path.join(root, goal)):
                mistakes.append("%s: there is no %s" % (path, link))
            elif anchor and anchor not in anchors(read(root, goal)):
                mistakes.append("%s: %s has no heading #%s" % (path, goal, anchor))
    missing = [path for path in files if INDEXED.match(path) and path not in linked]
    mistakes += ["%s: no link to %s" % (INDEX, path) for path in missing]
    print("\n".join(mistakes) or "The links of the documents lead somewhere.")
    return 1 if mistakes else 0


def all_files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def links(text):
    """What Markdown links and pictures refer to in this repository."""
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
    found = re.findall(r"\]\(([^)\s]+)\)", prose)
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors(text):
    """The anchors of the headings, as GitHub and its kin make them."""
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    seen = {}
    for heading in re.findall(r"(?m)^#+ +(.+?) *$", prose):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        yield anchor if count == 0 else "%s-%d" % (anchor, count)


if __name__ == "__main__":
    default = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else default))
