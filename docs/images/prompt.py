#!/usr/bin/env python3
"""Draws docs/images/prompt.svg, what a person sees when a program asks: prompt.py BINDIR [--check]

It runs the programs of BINDIR in a shell in a real pseudoterminal, with a home of their own, and draws the
screen while the prompt waits for a finger and after the finger. With --check it draws nothing, and exits
with 1 when the words in the picture are not the words of this run.
"""

import os
import sys

from screens import Terminal, draw_or_check, home, run

COMMAND = (
    'authctl --device demo evaluate --policy device-owner \\\n'
    '    --reason "release" --action "publish 1.4 to production" && echo published\n'
)
# Wide enough that no line wraps wherever the programs are.
COLUMNS, ROWS = 250, 16
# What differs between two runs, and what the picture shows for it.
STAND_INS = [
    (r"\(\S+/authctl, process \d+\)", "(/usr/local/bin/authctl, process 4711)"),
    (r"\d+:\d\d left", "0:30 left"),
]


def screens(programs):
    """What the terminal shows while the prompt waits, and after a finger matched."""
    with home(programs) as environment:
        terminal = Terminal(environment, COLUMNS, ROWS)
        terminal.wait(r"(?m)^\$$")
        terminal.type(COMMAND)
        terminal.wait(r"\d+:\d\d left")
        asking = terminal.lines(STAND_INS)
        run(["authctl", "--device", "demo", "sensor", "touch", "right-index", "--wait"], environment)
        terminal.wait(r"(?m)^published\n\$$")
        answered = terminal.lines(STAND_INS)[:-1]
        terminal.close()
    return [("while it asks", asking), ("after the finger", answered)]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    draw_or_check("prompt.svg", screens(os.path.abspath(sys.argv[1])), "The prompt of authctl in a terminal")
