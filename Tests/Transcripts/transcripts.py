#!/usr/bin/env python3
"""Transcripts of what the programs answer to seeded calls, and whether they still answer the same (needs root).

transcripts.py record PROGRAMS DIGESTS FIRST LAST     writes the digests of these seeds after those of earlier ones
transcripts.py check PROGRAMS DIGESTS [FIRST LAST]    compares them with what was recorded
transcripts.py show PROGRAMS SEED                     prints one transcript, a line for each call
transcripts.py diff PROGRAMS OTHER SEED               prints the first line in which two programs differ
transcripts.py count PROGRAMS FIRST LAST              prints how often each method, outcome, error and status occurs

A digest has two halves: of what was said, and of how much was brought to the disk.
"""

import concurrent.futures
import contextlib
import functools
import hashlib
import json
import os
import shutil
import sys
import tempfile

import coverage
import stage
from plain import Plain
from scenario import Life

JOBS = int(os.environ.get("JOBS", os.cpu_count()))


def begin():
    """A process that makes transcripts has no terminal, and belongs to no login session of the kernel's audit."""
    with contextlib.suppress(PermissionError):
        os.setsid()
    with contextlib.suppress(OSError), open("/proc/self/loginuid", "w") as file:
        file.write(str(2**32 - 1))
    os.umask(0o077)


def lived(programs, tools, seed):
    """What was done, heard and stored under one seed, and what names paths and processes have in it."""
    work = tempfile.mkdtemp(prefix="transcript.", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    try:
        life = Life(programs, os.path.join(work, "home"), tools, seed)
        lines = life.live()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    names = [(work, "WORK"), (os.path.dirname(tools[0]), "TOOLS"), (os.path.abspath(programs), "PROGRAMS")]
    return lines, names, {caller.process: caller.name for caller in life.driver.callers}


def written(lines, paths, processes):
    """The lines without what differs from run to run, in two halves: what is said, and what is stored."""
    plain = Plain(paths, processes)
    return [(json.dumps([plain.value(done), plain.heard(done, heard)]), json.dumps(stored))
            for done, heard, stored in lines]


def transcript(programs, tools, seed):
    return written(*lived(programs, tools, seed))


def digested(lines):
    return " ".join(hashlib.sha256("\n".join(half).encode()).hexdigest()[:12] for half in zip(*lines))


def digest(programs, tools, seed):
    try:
        return digested(transcript(programs, tools, seed))
    except Exception as error:
        return f"failed {type(error).__name__}: {error}".replace("\n", " ")


def each(function, programs, tools, seeds):
    """What a function gives for each seed, in as many processes as there are processors."""
    with concurrent.futures.ProcessPoolExecutor(JOBS, initializer=begin) as pool:
        for number, found in enumerate(pool.map(functools.partial(function, programs, tools), seeds, chunksize=4), 1):
            if number % 500 == 0:
                print(f"{number} of {len(seeds)}", file=sys.stderr)
            yield found


def read(path):
    with open(path) as file:
        return dict(enumerate((line.strip() for line in file), 1))


def record(programs, tools, path, first, last):
    """Writes each digest as it is found, after those of earlier seeds: a run that is broken off has its lines."""
    failed, kept = 0, list(read(path).values())[:int(first) - 1] if int(first) > 1 else []
    with open(path, "w", buffering=1) as file:
        file.writelines(line + "\n" for line in kept)
        for found in each(digest, programs, tools, range(int(first), int(last) + 1)):
            file.write(found + "\n")
            failed += found.startswith("failed")
    print(f"{failed} failed")
    return bool(failed)


def check(programs, tools, path, first=1, last=None):
    known = read(path)
    seeds = range(int(first), int(last or max(known)) + 1)
    found = dict(zip(seeds, each(digest, programs, tools, seeds)))
    different = [seed for seed in seeds if found[seed] != known[seed]]
    print(f"{len(seeds) - len(different)} of {len(seeds)} transcripts are as they were")
    for seed in different[:20]:
        print(f"seed {seed} differs: {why(found[seed], known[seed])}")
    if different:
        print(f"see one with: python3 Tests/Transcripts/transcripts.py show {programs} {different[0]}\n"
              f"or hold it against other programs: transcripts.py diff {programs} OTHER {different[0]}")
    return bool(different)


def why(found, known):
    if found.startswith("failed"):
        return found
    return "what is stored, not what is said" if found.split()[0] == known.split()[0] else "what is said"


def show(programs, tools, seed):
    for said, stored in alone(programs, tools, seed):
        print(said, stored)


def diff(programs, other, tools, seed):
    ours, theirs = (alone(each, tools, seed) for each in (programs, other))
    for number, pair in enumerate(zip(ours, theirs), 1):
        if pair[0] != pair[1]:
            print(f"line {number}\n" + "\n".join(f"{name} {said} {stored}" for name, (said, stored) in zip("<>", pair)))
            return True
    return len(ours) != len(theirs)


def alone(programs, tools, seed):
    return next(each(transcript, programs, tools, [int(seed)]))


def count(programs, tools, first, last):
    print(coverage.table(each(transcript, programs, tools, range(int(first), int(last) + 1))))


def main(command, *rest):
    if os.geteuid() != 0:
        print("Transcripts need root, whose own device and sessions they tell of. None was made.")
        return False
    with tempfile.TemporaryDirectory(prefix="transcripts.") as directory:
        os.chmod(directory, 0o755)
        tools = stage.build(directory)
        words = {"diff": 2}.get(command, 1)
        action = {"record": record, "check": check, "show": show, "diff": diff, "count": count}[command]
        programs = [os.path.abspath(word) for word in rest[:words]]
        return bool(action(*programs, tools, *rest[words:]))


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in {"record", "check", "show", "diff", "count"}:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
