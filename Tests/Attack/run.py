#!/usr/bin/env python3
"""Attacks release programs and says what was let through.

usage: run.py PROGRAMS [--size SHARE] [--seed N] [--only CAMPAIGN,CAMPAIGN] [--jobs N]

PROGRAMS has localauthd and localauth-pam-worker. Size 1 takes 20 minutes at most, the sample of `make
test` a minute, size 10 an hour or two: 10,000 races, 5,000 kills, 5,000 damaged states and 1,000 guesses at
each method. Each campaign has daemons of its own, and a mount namespace in which /mnt is its directory;
several run side by side, and one with much to do in several parts. Exits with 1 when anything was let
through or given back, somebody was kept out, or a program crashed.
"""

import importlib
import math
import multiprocessing
import os
import random
import sys
import time
import traceback

import cheap
from place import Place
from rig import KINDS, Daemon, Tally

CAMPAIGNS = ["damaged_rows", "damaged_files", "kills", "races", "oracles", "system_oracles", "full_disk",
             "foreign_users", "hostile_peers", "readers"]
# A campaign that hangs is ended, and counts as a crash: seconds at size 1.
LIMIT = 1500
MOST_EXAMPLES = 40


def attack(part, programs, answer):
    began = time.monotonic()
    module, seed, size, is_cheap = part
    try:
        place = Place(programs)
        Daemon.preloaded = cheap.library("/mnt") if is_cheap else None
        tally = importlib.import_module(module).run(place.programs, place.work, seed, size)
    except BaseException:
        tally = Tally(module.replace("_", " "), seed)
        tally.note("crashes", "the attack itself ended: " + traceback.format_exc().strip())
    tally.seconds = round(time.monotonic() - began)
    answer.put(tally)


def parts(module, seed, size):
    """What of a campaign goes into processes of their own, each with a seed of its own.

    In all but the first a guess costs as little as can be, so that more of them race in the same time.
    """
    most = getattr(importlib.import_module(module), "PART", None)
    count = math.ceil(size / most) if most else 1
    return [(module, seed + number, size / count, number > 0) for number in range(count)]


def start(part, options):
    answer = multiprocessing.Queue()
    process = multiprocessing.Process(target=attack, args=(part, options["programs"], answer))
    process.start()
    return part, process, answer, time.monotonic()


def wait_for_one(running, limit):
    """The tally of a part that has ended, or was ended."""
    while True:
        for entry in running:
            (module, seed, _, _), process, answer, began = entry
            if not answer.empty() or not process.is_alive():
                running.remove(entry)
                tally = answer.get(timeout=10)
                process.join()
                return tally
            if time.monotonic() - began > limit:
                running.remove(entry)
                process.kill()
                tally = Tally(module.replace("_", " "), seed)
                tally.note("crashes", f"it did not end within {limit} seconds")
                tally.seconds = limit
                return tally
        time.sleep(0.05)


def report(tally):
    figures = ", ".join(f"{getattr(tally, kind)} {kind.replace('_', ' ')}" for kind in KINDS)
    print(f"{tally.name}: {tally.tries} tries, {figures} (seed {tally.seed}, {tally.seconds} s)", flush=True)
    for what, count in sorted(tally.counts.items()):
        print(f"  {count} {what}", flush=True)
    for finding in tally.findings:
        print("  found: " + finding, flush=True)
    for example, count in sorted(tally.examples.items())[:MOST_EXAMPLES]:
        print(f"  {count} x {example}".replace("\n", "\n    "), flush=True)
    if len(tally.examples) > MOST_EXAMPLES:
        print(f"  and {len(tally.examples) - MOST_EXAMPLES} more kinds", flush=True)


def table(tallies):
    heads = ["campaign", "tries", *[kind.replace("_", " ") for kind in KINDS]]
    lines = [[t.name, t.tries, *[getattr(t, kind) for kind in KINDS]] for t in tallies]
    widths = [max(len(str(line[i])) for line in [heads, *lines]) for i in range(len(heads))]
    for line in [heads, *lines]:
        print("  ".join([str(line[0]).ljust(widths[0])] + [str(v).rjust(w) for v, w in zip(line[1:], widths[1:])]))


def together(tallies):
    """One tally for each campaign, whatever its parts."""
    sums = {}
    for tally in tallies:
        sums.setdefault(tally.name, Tally(tally.name, tally.seed)).add(tally)
    return sums


def summarize(tallies, seconds):
    table(tallies)
    for tally in tallies:
        for what, count in sorted(tally.counts.items()):
            print(f"{count} {what}")
    tries, broken = sum(tally.tries for tally in tallies), {}
    for kind in KINDS:
        broken[kind] = sum(getattr(tally, kind) for tally in tallies)
    figures = ", ".join(f"{broken[kind]} {kind.replace('_', ' ')}" for kind in KINDS)
    # Again, for who sees the end of it alone.
    for tally in tallies:
        for example, count in sorted(tally.examples.items())[:MOST_EXAMPLES]:
            print(f"{tally.name} (seed {tally.seed}): {count} x {example}")
    print(f"in all {tries} tries in {seconds:.0f} s: {figures}")


def option(arguments, name, fallback):
    return arguments[arguments.index(name) + 1] if name in arguments else fallback


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0].startswith("-"):
        sys.exit(__doc__)
    options = {"programs": os.path.abspath(arguments[0]),
               "size": float(option(arguments, "--size", 1)),
               "seed": int(option(arguments, "--seed", random.randrange(1, 1 << 31)))}
    if os.geteuid() != 0:
        print("The attacks need root: they mount, and are other users. Nothing was tried.")
        return
    chosen = option(arguments, "--only", ",".join(CAMPAIGNS)).split(",")
    jobs = int(option(arguments, "--jobs", 4))
    print(f"seed {options['seed']}, size {options['size']}", flush=True)
    left = [part for module in chosen for part in parts(module, options["seed"], options["size"])]
    running, tallies, began = [], [], time.monotonic()
    while left or running:
        while left and len(running) < jobs:
            running.append(start(left.pop(0), options))
        tallies.append(wait_for_one(running, LIMIT * max(1, options["size"])))
        report(tallies[-1])
    sums = together(tallies)
    summarize([sums[module.replace("_", " ")] for module in chosen], time.monotonic() - began)
    if not all(tally.is_clean for tally in tallies):
        sys.exit(1)


if __name__ == "__main__":
    main()
