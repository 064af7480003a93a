#!/usr/bin/env python3
"""Draws docs/images/panel.svg, what `authctl panel` shows while a program asks: panel.py BINDIR [--check]

It runs the programs of BINDIR in two shells in real pseudoterminals, with a home of their own: a program asks
in one, the panel is in the other, and its key lays the finger that answers. With --check it draws nothing, and
exits with 1 when the words in the picture are not the words of this run.
"""

import os
import sys

from screens import Terminal, draw_or_check, home, run

ASKING = (
    'authctl --device demo evaluate --policy device-owner --reason "release" '
    '--action "publish 1.4 to production" && echo published\n'
)
COLUMNS, ROWS = 80, 24
# What differs between two runs, and what the picture shows for it.
STAND_INS = [
    (r"authctl \(process \d+\) of .*", "authctl (process 4711) of ann on pts/3, /usr/local/bin/authctl"),
    (r"\d+:\d\d left", "0:30 left"),
    (r"\d\d:\d\d:\d\dZ", "11:02:03Z"),
]


def screens(programs):
    """What the panel shows while a program asks."""
    with home(programs) as environment:
        evaluate = ["authctl", "--device", "demo", "evaluate", "--policy", "biometrics"]
        run(evaluate + ["--reason", "unlock the door", "--script", "miss,match"], environment)
        panel, asking = Terminal(environment, COLUMNS, ROWS), Terminal(environment, 250, ROWS)
        panel.wait(r"(?m)^\$$")
        asking.wait(r"(?m)^\$$")
        panel.type("authctl --device demo panel\n")
        panel.wait(r"Asked     nothing")
        asking.type(ASKING)
        panel.wait(r"waiting for a finger")
        panel.type("m")
        panel.wait(r"waiting for a finger(?s:.*)2 tries left(?s:.*)touches: miss")
        shown = panel.lines(STAND_INS)
        panel.type("1")
        asking.wait(r"(?m)^published\n\$$")
        panel.type("q")
        panel.wait(r"The panel ended")
        panel.close()
        asking.close()
    return [("authctl --device demo panel", shown)]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    draw_or_check("panel.svg", screens(os.path.abspath(sys.argv[1])), "The panel of authctl in a terminal")
