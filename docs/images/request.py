"""The way of one request as lanes and arrows, for Graphviz; its steps stand in request.txt.

Every place is computed here, in points from the top left, so that Graphviz has only to draw.
"""

import os
import re

# Between two lanes, between two steps, left of the first lane, right of the last, and above the first step.
LANE, ROW, LEFT, RIGHT, HEAD = 98, 25, 98, 48, 58
BANDS = ["#f3f6fb", "#ffffff"]
DECLARED = r"\b(?:class|struct|enum|protocol|typealias|func|case)\s+(?:\w+, )*%s\b"
# How wide a letter is, about: no lane shines through the words of a step.
LETTER = 4.8

START = """digraph request {
graph [bgcolor=white fontname="Helvetica"]
node [fontname="Helvetica" fontsize=8.5 fixedsize=true margin=0]
edge [arrowsize=0.6 color="#2458a6"]"""


class Way:
    """What request.txt tells: lanes, parts of the way, and steps."""

    def __init__(self, text):
        self.lanes, self.parts, self.steps = [], [], []
        for line in text.splitlines():
            line = line.split("#")[0].strip()
            if line.startswith("lane "):
                self.lanes.append([words.strip() for words in line[5:].split("|")])
            elif line.startswith("== "):
                self.parts.append((line[3:], len(self.steps)))
            elif line:
                self.steps.append(self.step(line))

    def step(self, line):
        found = re.fullmatch(r"(\w+) > (\w+): (.+)", line)
        names = [name for name, _, _ in self.lanes]
        if not found or found[1] not in names or found[2] not in names:
            raise SystemExit("request.txt: this is no step: %s" % line)
        places = [LEFT + LANE * names.index(name) for name in found.groups()[:2]]
        return (*places, found[3])

    @property
    def width(self):
        return LEFT + LANE * (len(self.lanes) - 1) + RIGHT

    @property
    def bottom(self):
        return HEAD + ROW * len(self.steps)


def graph(root):
    """The graph's text; exits where a word in backticks is declared nowhere."""
    with open(os.path.join(root, "docs", "images", "request.txt"), encoding="utf-8") as file:
        text = re.sub(r"(?m)^#.*\n", "", file.read())
    check_names(re.findall("`([^`]+)`", text), os.path.join(root, "Sources"))
    way = Way(text.replace("`", ""))
    return "\n".join([START, *parts(way), *lanes(way), *steps(way), "}"])


def check_names(names, folder):
    sources = "\n".join(swift_files(folder))
    for name in sorted(set(names)):
        if not re.search(DECLARED % re.escape(name), sources):
            raise SystemExit("request.txt: `%s` is declared nowhere in Sources" % name)


def swift_files(folder):
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith(".swift"):
                with open(os.path.join(path, name), encoding="utf-8") as file:
                    yield file.read()


# The graph, from the back to the front.


def parts(way):
    """A band for each part of the way, with its title at the left."""
    for number, (title, first) in enumerate(way.parts):
        after = way.parts[number + 1][1] if number + 1 < len(way.parts) else len(way.steps)
        top, height = HEAD + ROW * first, ROW * (after - first)
        yield box("band%d" % number, way.width / 2, top + height / 2, way.width, height, BANDS[number % 2])
        yield words("title%d" % number, 26, top + height / 2, "<b>%s</b>" % title)


def lanes(way):
    """A head and a line downwards for each lane."""
    for number, (name, above, below) in enumerate(way.lanes):
        x = LEFT + LANE * number
        yield point(name, x, HEAD - 12)
        yield point(name + "End", x, way.bottom)
        yield '%s -> %sEnd [arrowhead=none color="#bbbbbb"]' % (name, name)
        yield box(name + "Head", x, HEAD / 2 - 4, LANE - 8, 34, "#dfe8f5", "#2458a6")
        yield words(name + "Above", x, HEAD / 2 - 11, "<b>%s</b>" % above)
        yield words(name + "Below", x, HEAD / 2 + 3, below)


def steps(way):
    """An arrow for each step with its words above it; a box for one that stays where it is."""
    for number, (start, end, what) in enumerate(way.steps):
        band = BANDS[sum(first <= number for _, first in way.parts) % 2 - 1]
        y = HEAD + ROW * (number + 1) - 6
        size = LETTER * len(what)
        if start == end:
            yield box("back%d" % number, start, y - 7, size + 8, 17, "#dfe8f5", "#2458a6")
        else:
            yield box("back%d" % number, (start + end) / 2, y - 8, size, 14, band)
            yield point("from%d" % number, start, y)
            yield point("to%d" % number, end, y)
            yield "from%d -> to%d" % (number, number)
        yield words("step%d" % number, (start + end) / 2, y - 8, what)


def words(name, x, y, marked):
    return '%s [shape=plaintext fixedsize=false label=<%s> %s]' % (name, marked, place(x, y, 0, 0))


def box(name, x, y, width, height, color, line=None):
    return '%s [shape=box style="filled%s" label="" fillcolor="%s" color="%s" %s]' % (
        name, ",rounded" if line else "", color, line or color, place(x, y, width, height))


def point(name, x, y):
    return "%s [shape=point style=invis %s]" % (name, place(x, y, 0.7, 0.7))


def place(x, y, width, height):
    return 'width=%.3f height=%.3f pos="%g,%g"' % (width / 72, height / 72, x, -y)
