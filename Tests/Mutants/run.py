#!/usr/bin/env python3
"""Builds a copy of machines, prover and service with every mutant of mutants.txt, and tries each.

usage: run.py WORK [--sample N --seed S] [--only NAME,NAME]
       run.py --places

All mutants are in one build, each behind a condition that only the copy has: MUTANT in the
environment chooses one. A mutant is caught when the prover finds a property broken or dies; one that
gets past it, or that it does not explore, when the suites of the core and the service fail; one of a target that
the device does not know, when the suite of that target fails. Exits with 1 when more survive than survivors.txt
explains. With --places nothing is built: it says whether each mutant still has its place in the sources.
"""

import filecmp
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TARGETS = [
    "CLocalAuthLinux", "CLocalAuthMath", "LocalAuthCore", "LocalAuthJSON", "LocalAuthToken",
    "LocalAuthSensor", "LocalAuthKeychain", "LocalAuthBackup", "LocalAuthSecret", "LocalAuthProver", "LocalAuthService",
    "CLocalAuthOpenSSL", "LocalAuthFileFormat", "LocalAuthSQLite", "LocalAuthSync", "LocalAuthPropertyList",
]
# The suites that a mutant of the device must get past, and those of a target that the device does not know.
DEVICE = ["LocalAuthCoreTests", "LocalAuthServiceTests"]
OTHERS = {
    target: [target + "Tests"] for target in ["LocalAuthFileFormat", "LocalAuthSQLite", "LocalAuthSync"]
}
SUITES = DEVICE + sum(OTHERS.values(), [])
SUPPORT = ["ProfiledLockout.swift", "RunSeed.swift", "SeededGenerator.swift"]
SEED = "1"
# Seconds for one run, which takes a sixth of it on a machine that does nothing else.
LIMIT = 240
# Bytes for one process, which takes an eighth of it without a mutant.
MEMORY = 4 << 30
SWITCH = """import Glibc

/// The mutant that this run is about.
let chosenMutant: Int = {
  guard let text = getenv("MUTANT") else { return -1 }
  return Int(String(cString: text)) ?? -1
}()

@usableFromInline @inline(never) func isMutant(_ number: Int) -> Bool { number == chosenMutant }
"""


class Mutant:
    def __init__(self, number, head, body):
        parts = [part.strip() for part in head.split("|")]
        self.number, self.name, self.file, self.breaks = number, parts[0], parts[1], parts[2]
        self.target = self.file.split("/")[0]
        self.occurrence = int(parts[3]) if len(parts) > 3 else 1
        before, after = body.split("\n---\n")
        self.before, self.after = before.strip("\n"), after.strip("\n")

    def place(self, text):
        start = -1
        for _ in range(self.occurrence):
            start = text.find(self.before, start + 1)
            if start < 0:
                sys.exit(f"{self.name}: {self.file} has no such place any more")
        replaced = self.after.replace("%M", f"isMutant({self.number})")
        return start, start + len(self.before), replaced, self.name


def mutants():
    with open(os.path.join(HERE, "mutants.txt")) as file:
        blocks = re.split(r"^@ ", file.read(), flags=re.M)[1:]
    return [Mutant(number, *block.split("\n", 1)) for number, block in enumerate(blocks)]


def explained():
    with open(os.path.join(HERE, "survivors.txt")) as file:
        lines = [line.split(":", 1) for line in file if ":" in line and not line.startswith("#")]
    return {name.strip(): why.strip() for name, why in lines}


def copy(work, all_mutants):
    """Lays the copy out anew; what did not change keeps its date, so that a build is not repeated."""
    fresh = os.path.join(work, "fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    for target in TARGETS:
        shutil.copytree(f"{ROOT}/Sources/{target}", f"{fresh}/Sources/{target}")
    shutil.copytree(f"{ROOT}/policies", f"{fresh}/policies")
    for target in SUITES:
        shutil.copytree(f"{ROOT}/Tests/{target}", f"{fresh}/Tests/{target}")
    os.makedirs(f"{fresh}/Tests/LocalAuthTestSupport")
    for name in SUPPORT:
        shutil.copy(f"{ROOT}/Tests/LocalAuthTestSupport/{name}", f"{fresh}/Tests/LocalAuthTestSupport")
    shutil.copytree(f"{HERE}/Prover", f"{fresh}/Sources/prover")
    shutil.copy(f"{HERE}/Package.swift.txt", f"{fresh}/Package.swift")
    for file, text in mutated(all_mutants):
        path = f"{fresh}/Sources/{file}"
        with open(path, "w") as source:
            source.write(text)
        with open(os.path.join(os.path.dirname(path), "Mutant.swift"), "w") as source:
            source.write(SWITCH)
    synchronise(fresh, f"{work}/copy")


def mutated(all_mutants):
    """The files that mutants change, each with its text and all mutants in it."""
    for file in sorted({mutant.file for mutant in all_mutants}):
        with open(f"{ROOT}/Sources/{file}") as source:
            text = source.read()
        places = sorted(m.place(text) for m in all_mutants if m.file == file)
        for left, right in zip(places, places[1:]):
            if left[1] > right[0]:
                sys.exit(f"{left[3]} and {right[3]} change the same place")
        for start, end, replaced, _ in reversed(places):
            text = text[:start] + replaced + text[end:]
        yield file, text


def synchronise(source, target):
    """Makes the folder like the other, but for what builds leave there; equal files keep their date."""
    for folder, _, files in os.walk(source):
        there = os.path.join(target, os.path.relpath(folder, source))
        os.makedirs(there, exist_ok=True)
        for name in files:
            old, new = os.path.join(there, name), os.path.join(folder, name)
            if not os.path.exists(old) or not filecmp.cmp(old, new, shallow=False):
                shutil.copy(new, old)
    for folder, folders, files in os.walk(target):
        folders[:] = [name for name in folders if name != ".build"]
        there = os.path.join(source, os.path.relpath(folder, target))
        for name in files:
            if not os.path.exists(os.path.join(there, name)):
                os.remove(os.path.join(folder, name))


def build(work):
    command = ["swift", "build", "-c", "release", "--build-tests", "-Xswiftc", "-enable-testing",
               "--package-path", f"{work}/copy"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit("\n".join(line for line in result.stdout.splitlines() if "error" in line)[:4000])


def prover(work, number):
    """What the prover says of a mutant; None when it finds nothing."""
    result = run([f"{work}/copy/.build/release/prover"], number, LIMIT)
    if result is None:
        return "the prover does not end"
    if result.returncode == 0:
        return None
    said = result.stdout.strip().splitlines()
    return said[0] if said else "a machine stops the program"


def suite(work, number, suites=SUITES):
    """The first test of these suites that fails under a mutant; None when none does."""
    command = ["swift", "test", "-c", "release", "--skip-build", "--package-path", f"{work}/copy",
               "-Xswiftc", "-enable-testing", "--filter", "^(" + "|".join(suites) + ")\\."]
    result = run(command, number, LIMIT)
    if result is None:
        return "the suites do not end"
    if result.returncode == 0:
        return None
    found = re.search(r"Test (\w+)\(.*\) recorded an issue", result.stdout)
    return "the suites: " + (found.group(1) if found else "a test stops the program")


def is_explored(mutant):
    """Whether the prover knows the mutant's target."""
    return mutant.target != "LocalAuthService" and mutant.target not in OTHERS


def run(command, number, limit):
    """Runs a command under a mutant, with bounds: a mutant may loop, and may keep what it makes; None at the time limit."""
    environment = dict(os.environ, MUTANT=str(number), SEED=SEED)
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               start_new_session=True, preexec_fn=limit_memory)
    try:
        said, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        # What it started has the same output, which would never end.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None
    return subprocess.CompletedProcess(command, process.returncode, said)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def main():
    arguments = sys.argv[1:]
    if arguments == ["--places"]:
        list(mutated(mutants()))
        return
    if not arguments or arguments[0].startswith("-"):
        sys.exit(__doc__)
    work = os.path.abspath(arguments[0])
    all_mutants = mutants()
    chosen = all_mutants
    if "--sample" in arguments:
        count = int(arguments[arguments.index("--sample") + 1])
        seed = arguments[arguments.index("--seed") + 1] if "--seed" in arguments else SEED
        chosen = random.Random(seed).sample(all_mutants, count)
        print(f"a sample of {count}, seed {seed}")
    if "--only" in arguments:
        names = arguments[arguments.index("--only") + 1].split(",")
        chosen = [mutant for mutant in all_mutants if mutant.name in names]
    os.makedirs(f"{work}/copy", exist_ok=True)
    copy(work, all_mutants)
    build(work)
    explores = any(is_explored(mutant) for mutant in chosen)
    for test, name in ([(prover, "prover")] if explores else []) + [(suite, "suite")]:
        if (said := test(work, -1)) is not None:
            sys.exit(f"without a mutant the {name} fails: {said}")
    known, unexplained, caught = explained(), [], 0
    for mutant in chosen:
        said = prover(work, mutant.number) if is_explored(mutant) else None
        if said is None and mutant.target != "LocalAuthProver":
            said = suite(work, mutant.number, OTHERS.get(mutant.target, DEVICE))
        if said is not None:
            caught += 1
            print(f"caught    {mutant.name}: {said}", flush=True)
            continue
        why = known.get(mutant.name)
        print(f"SURVIVED  {mutant.name}: {mutant.breaks}; {why or 'nobody knows why'}", flush=True)
        if why is None:
            unexplained.append(mutant.name)
    print(f"{caught} of {len(chosen)} caught, {len(chosen) - caught} survived.")
    if unexplained:
        sys.exit("without a reason: " + ", ".join(unexplained))


if __name__ == "__main__":
    main()
