"""Programs in a shell in a real pseudoterminal, and their screens as pictures: what prompt.py and panel.py share."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

try:
    import pyte
except ImportError:
    print("The pictures of terminals are skipped, because pyte is missing; make setup installs it")
    sys.exit(0)

PATIENCE_SECONDS = 20
COLORS = {"brown": "#e5c07b", "yellow": "#e5c07b", "red": "#e06c75", "green": "#98c379"}
LETTER_WIDTH, LINE_HEIGHT, MARGIN = 8.1, 19, 16


class Terminal:
    """A shell in a pseudoterminal, and the screen that a person would see."""

    def __init__(self, environment, columns, rows):
        self.columns, self.rows = columns, rows
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            shell = ["bash", "--norc", "--noprofile", "-i"]
            os.execvpe("bash", shell, dict(environment, PS1="$ ", PS2="> ", TERM="xterm-256color"))
        # Another terminal's shell must not keep this one open.
        os.set_inheritable(self.descriptor, False)

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def wait(self, pattern):
        """Reads until the screen matches."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not re.search(pattern, "\n".join(self.text())):
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not self.read(remaining):
                sys.exit("%s: the terminal never showed %s" % (os.path.basename(sys.argv[0]), pattern))

    def read(self, seconds):
        """Shows what the programs write next, and says whether anything came in that time."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return False
        self.stream.feed(os.read(self.descriptor, 65536))
        return True

    def text(self):
        """The screen as lines of words."""
        return [line.rstrip() for line in self.screen.display]

    def lines(self, stand_ins):
        """The screen, each line as runs of text in one style.

        `stand_ins` are patterns of what differs between two runs, and what the picture shows for it.
        """
        lines = [runs(self.screen.buffer[row], self.columns, stand_ins) for row in range(self.rows)]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def close(self):
        os.close(self.descriptor)
        os.waitpid(self.process, 0)


def runs(cells, columns, stand_ins):
    """The cells of a line as [text, color, is bold] where the style stays the same."""
    line = []
    for column in range(columns):
        cell = cells[column]
        style = [cell.fg, cell.bold]
        if line and line[-1][1:] == style:
            line[-1][0] += cell.data
        else:
            line.append([cell.data, *style])
    for run in line:
        for pattern, stand_in in stand_ins:
            run[0] = re.sub(pattern, stand_in, run[0])
    line[-1][0] = line[-1][0].rstrip()
    return [run for run in line if run[0]]


@contextlib.contextmanager
def home(programs):
    """The environment of a new home with the device `demo`, whose daemon ends with it."""
    folder = tempfile.mkdtemp(prefix="localauth-picture.")
    environment = {
        "PATH": programs + ":/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8",
        "LOCALAUTH_HOME": os.path.join(folder, "state"),
    }
    try:
        create = ["authctl", "device", "create", "demo", "--finger", "right-index", "--passcode-stdin"]
        run(create, environment, typed="2468\n")
        yield environment
    finally:
        status = json.loads(run(["authctl", "--json", "status"], environment) or "{}")
        with contextlib.suppress(KeyError, ProcessLookupError):
            os.kill(status["daemon"]["pid"], 15)
        shutil.rmtree(folder, ignore_errors=True)


def run(command, environment, typed=""):
    # The path is looked for in the environment of the command, not in ours.
    path = shutil.which(command[0], path=environment["PATH"])
    result = subprocess.run(
        [path, *command[1:]], env=environment, input=typed, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, check=True,
    )
    return result.stdout


def drawing(panels, label):
    """The panels below each other, as SVG."""
    width = max(len(text(line)) for _, lines in panels for line in lines) * LETTER_WIDTH
    parts, y = [], 0
    for title, lines in panels:
        height = (len(lines) + 2) * LINE_HEIGHT + MARGIN
        parts.append(
            '<rect y="%d" width="100%%" height="%d" rx="8" fill="#282c34"/>\n'
            '<text x="50%%" y="%d" class="title" text-anchor="middle">%s</text>'
            % (y, height, y + LINE_HEIGHT, title)
        )
        for row, line in enumerate(lines):
            parts.append(
                '<text class="line" x="%d" y="%d" xml:space="preserve">%s</text>'
                % (MARGIN, y + (row + 2.5) * LINE_HEIGHT, "".join(map(span, line)))
            )
        y += height + MARGIN
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img" '
        'aria-label="%s">\n<style>'
        "text { font: 13px 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #dcdfe4 } "
        ".title { fill: #8b919e }</style>\n%s\n</svg>\n"
        % (width + 2 * MARGIN, y - MARGIN, label, "\n".join(parts))
    )


def span(piece):
    words, color, is_bold = piece
    style = ' fill="%s"' % COLORS[color] if color in COLORS else ""
    style += ' font-weight="bold"' if is_bold else ""
    return "<tspan%s>%s</tspan>" % (style, escape(words))


def text(line):
    return "".join(piece[0] for piece in line)


def lines_of_picture(picture):
    tree = ElementTree.parse(picture)
    return ["".join(element.itertext()) for element in tree.iter() if element.get("class") == "line"]


def draw_or_check(name, panels, label):
    """Draws the picture beside this file, or with --check exits with 1 when its words are not those of the panels."""
    picture = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    if "--check" not in sys.argv:
        with open(picture, "w", encoding="utf-8") as file:
            file.write(drawing(panels, label))
        return
    now = [text(line) for _, lines in panels for line in lines]
    drawn = lines_of_picture(picture)
    if now != drawn:
        sys.exit(
            "%s is out of date: make pictures\nIt says:\n  %s\nThe programs say:\n  %s"
            % (name, "\n  ".join(drawn), "\n  ".join(now))
        )
