"""Runs what `make test` consists of, and says how long is left: steps.py MAKE STAGE...

A stage is STEP=MINUTES, or lanes of such steps that run side by side: "build=6 | lint=0.3 programs=3". The next stage
begins when all lanes of this one have ended. The minutes are what a step takes on two cores from a clean clone beside
the other lanes. The first steps tell how fast this machine is.

What a step of several lanes prints is shown at its end, so that the lines of two steps do not mix.
"""

import subprocess
import sys
import tempfile
import threading
import time


def minutes(seconds):
    return "under a minute" if seconds < 60 else f"about {round(seconds / 60)} min"


def lanes(stage):
    """The lanes of a stage: for each the names of its steps and the seconds that they are expected to take."""
    words = [[word.split("=") for word in lane.split()] for lane in stage.split("|")]
    return [[(name, float(expected) * 60) for name, expected in lane] for lane in words]


def expected(lane):
    return sum(seconds for _, seconds in lane)


class Run:
    def __init__(self, make, stages):
        self.make, self.stages = make, [lanes(stage) for stage in stages]
        self.begun = time.monotonic()
        self.passed = 0  # the seconds that the stages that have ended were expected to take
        self.took = []
        self.running = {}
        self.failed = None
        self.lock = threading.RLock()

    def left(self):
        """The seconds to go at the pace of the stages that have ended."""
        total = sum(max(map(expected, stage)) for stage in self.stages)
        elapsed = time.monotonic() - self.begun
        pace = elapsed / self.passed if self.passed > 60 else 1
        return max(total * pace - elapsed, 0)

    def step(self, name, isAlone):
        with self.lock:
            if self.failed:
                return
            print(f"== {name}: begins, {minutes(self.left())} to go in all", flush=True)
            output = None if isAlone else tempfile.TemporaryFile()
            process = subprocess.Popen(
                [self.make, "--no-print-directory", name], stdout=output, stderr=output and subprocess.STDOUT)
            self.running[name] = process
        at = time.monotonic()
        status = process.wait()
        with self.lock:
            del self.running[name]
            self.took.append((name, time.monotonic() - at))
            if output:
                output.seek(0)
                print(f"== {name}: what it printed", flush=True)
                sys.stdout.buffer.write(output.read())
                sys.stdout.flush()
            if status and not self.failed:
                self.failed = (name, status)
                # What the others would still find is not worth waiting for.
                for process in self.running.values():
                    process.terminate()

    def lane(self, steps, isAlone):
        for name, _ in steps:
            self.step(name, isAlone)

    def stage(self, stage):
        threads = [threading.Thread(target=self.lane, args=(lane, len(stage) == 1)) for lane in stage]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.passed += max(map(expected, stage))
        if self.failed:
            name, status = self.failed
            print(f"== {name} failed; 'make {name}' runs it alone", file=sys.stderr)
            sys.exit(status if status > 0 else 1)

    def all(self):
        for number, stage in enumerate(self.stages):
            if number == len(self.stages) - 1:
                # Before the last stage, for its own summary is the last word.
                print("== " + ", ".join(f"{name} {seconds:.0f} s" for name, seconds in self.took), flush=True)
            self.stage(stage)


if __name__ == "__main__":
    Run(sys.argv[1], sys.argv[2:]).all()
