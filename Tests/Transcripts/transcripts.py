#!/usr/bin/env python3
"""Transcripts of what the programs answer to seeded calls, and whether they still answer the same.

transcripts.py record|check PROGRAMS DIGESTS [FIRST LAST]   writes, or compares, a digest for each seed
transcripts.py show PROGRAMS SEED                           prints one transcript, a line for each call
"""

import concurrent.futures
import hashlib
import json
import os
import shutil
import sys
import tempfile

from plain import Plain
from scenario import Life


def transcript(programs, seed):
    """The lines of one seed, without what differs from run to run."""
    work = tempfile.mkdtemp(prefix="transcript.", dir="/dev/shm")
    try:
        lines = Life(programs, os.path.join(work, "home"), seed).live()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    plain = Plain()
    return [json.dumps(plain.value(line), sort_keys=True) for line in lines]


def digest(programs, seed):
    try:
        lines = transcript(programs, seed)
    except Exception as error:
        return f"failed: {error!r}"
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def digests(programs, seeds):
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for number, found in enumerate(pool.map(digest, [programs] * len(seeds), seeds, chunksize=8)):
            if number % 500 == 499:
                print(f"{number + 1} of {len(seeds)}", file=sys.stderr)
            yield found


def read(path):
    with open(path) as file:
        return [line.strip() for line in file]


def main(command, programs, *rest):
    if command == "show":
        print("\n".join(transcript(programs, int(rest[0]))))
        return 0
    path, known = rest[0], read(rest[0]) if command == "check" else []
    first, last = (int(word) for word in rest[1:3]) if len(rest) > 1 else (1, len(known))
    found = list(digests(programs, range(first, last + 1)))
    if command == "record":
        with open(path, "w") as file:
            file.write("\n".join(found) + "\n")
        return any(word.startswith("failed") for word in found)
    different = [seed for seed, word in enumerate(found, first) if word != known[seed - 1]]
    print(f"{len(found) - len(different)} of {len(found)} transcripts are as they were")
    for seed in different[:20]:
        print(f"seed {seed}: {found[seed - first]} and was {known[seed - 1]}")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
