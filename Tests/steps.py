"""Runs what `make test` consists of, one step after the other, and says how long is left: steps.py MAKE STEP=MINUTES...

The minutes are what a step takes on two cores from a clean clone. The first steps tell how fast this machine is.
"""

import subprocess
import sys
import time


def minutes(seconds):
    return "under a minute" if seconds < 60 else f"about {round(seconds / 60)} min"


def main():
    make, *words = sys.argv[1:]
    steps = [(name, float(expected) * 60) for name, expected in (word.split("=") for word in words)]
    begun = time.monotonic()
    took = []
    for number, (name, expected) in enumerate(steps):
        passed = sum(expected for _, expected in steps[:number])
        pace = (time.monotonic() - begun) / passed if passed > 60 else 1
        left = sum(expected for _, expected in steps[number:]) * pace
        print(f"== {name}: step {number + 1} of {len(steps)}, {minutes(left)} to go", flush=True)
        at = time.monotonic()
        status = subprocess.call([make, "--no-print-directory", name])
        took.append((name, time.monotonic() - at))
        if status:
            print(f"== {name} failed; 'make {name}' runs it alone", file=sys.stderr)
            sys.exit(status)
        if number == len(steps) - 2:
            # Before the last step, for its own summary is the last word.
            print("== " + ", ".join(f"{done} {seconds:.0f} s" for done, seconds in took), flush=True)


if __name__ == "__main__":
    main()
