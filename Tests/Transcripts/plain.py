"""Replies without what differs from run to run: identifiers and keys by order of appearance, no times of day."""

import re

# What says when, where or by which process, and so is never the same twice.
VARYING = {"pid", "uptimeSeconds", "version", "began", "ended", "connections", "memoryLocked", "storage", "leader",
           "terminal", "program", "caller"}
# Seconds that a running clock may have shortened by a moment.
RUNNING = {"secondsLeft", "retryAfterSeconds", "passcodeRetryAfterSeconds", "remembersSeconds", "ageSeconds"}
LONG_TOKEN = re.compile(r"[A-Za-z0-9+/_=-]{32,}")
PROCESS = re.compile(r"process \d+")
PATH = re.compile(r"/[^ ,)\"]*/[^ ,)\"]*")
SECONDS = re.compile(r"\b(\d+)( ?s(?:econds?)?\b)")
# 2001-09-09 and later, in seconds or milliseconds.
INSTANT = 1_000_000_000


class Plain:
    """The names that one transcript's identifiers have got."""

    def __init__(self):
        self.names = {}

    def named(self, token):
        return self.names.setdefault(token, f"#{len(self.names) + 1}")

    def text(self, text):
        text = LONG_TOKEN.sub(lambda found: self.named(found.group()), text)
        text = PATH.sub("PATH", PROCESS.sub("process N", text))
        return SECONDS.sub(lambda found: f"{upwards(int(found.group(1)))}{found.group(2)}", text)

    def value(self, value, key=""):
        if key in VARYING:
            return "VARYING"
        if isinstance(value, dict):
            return {name: self.value(member, name) for name, member in sorted(value.items())}
        if isinstance(value, list):
            return [self.value(member, key) for member in value]
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return value
        if key in RUNNING:
            return upwards(value)
        return "INSTANT" if value >= INSTANT else value


def upwards(seconds):
    """To the next half minute: what is left of 60 s is more than 30 s."""
    return -(-int(seconds) // 30) * 30
