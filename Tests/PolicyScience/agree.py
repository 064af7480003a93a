"""Compares `authctl policy solve` with two oracles, cell by cell of a grid: the model checker Storm on the chain that
`--prism` writes, and document.py, which knows docs/policy-science.md and not the chain.

    agree.py AUTHCTL [--sample N] [--only storm|document] [--table FILE] [--spoil]

`--sample` takes every so many-th cell, so that N are left; `--table` writes the results between two comments of a
Markdown file; `--spoil` changes what the oracles are asked, to show that they notice. Without the Python module stormpy it says so and exits 77.
"""

import argparse
import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

import document

# The relative differences that are allowed; the document leaves open how the integral over people is computed.
STORM, DOCUMENT = 1e-9, 1e-7
POLICIES = ["biometrics", "biometrics-and-passcode", "device-owner", "device-owner-parallel", "passcode",
            "second-factor", "work-laptop"]
PROFILES = ["android", "apple", "faillock", "fido", "nist-800-63b", "three-strikes", "tpm"]
SENSORS = ["android-class-3", "fido", "nist", "standard", "v-smart-convenient", "v-smart-medium",
           "v-smart-secure"]
DELAYS = ["apple", "gatekeeper", "apple-2023"]


def cells():
    """The options of each cell; the lists beside the grid turn at different speeds, so that all meet."""
    grid = []

    def add(policy, profile, sensor, spans):
        number = len(grid)
        days, logins = spans[number % len(spans)]
        grid.append(dict(policy=policy, profile=profile, sensor=sensor, delays=DELAYS[number % 3],
                         prints=1 + number % 2, days=days, logins=logins, mistyped=[0.1, 0.03, 0, 0.2, 0.1][number % 5],
                         patience=[None, None, 2, None, 1, None][number % 6]))

    for profile, policy in itertools.product(PROFILES, POLICIES):
        # Without a lock, and with every wait at every point of two factors, chains grow fast.
        large = {"tpm": [(1, 1)], "fido": [(1, 2)], "faillock": [(1, 2)]}
        is_large = policy == "biometrics-and-passcode" and profile in large
        add(policy, profile, "goats", large[profile] if is_large else [(2, 2), (3, 1), (1, 4), (2, 3)])
    # These are dozens of kinds of people each.
    for number, sensor in enumerate(SENSORS):
        for policy in ("device-owner", "biometrics-and-passcode"):
            is_large = policy == "biometrics-and-passcode" and PROFILES[number] == "tpm"
            add(policy, PROFILES[number], sensor, [(1, 1)] if is_large else [(1, 2), (2, 1)])
    # Within nine days at a login a day the passcode falls due.
    for policy in ("biometrics", "device-owner", "device-owner-parallel", "work-laptop"):
        add(policy, "three-strikes", "goats", [(9, 1)])
    # Nobody in the model has the code that it asks for, so it is not solved; the others keep the options that they had.
    return [cell for cell in grid if cell["policy"] != "second-factor"]


def solve(program, cell, model):
    """What `policy solve` says: the quantities by name, and the states of the chain that it wrote."""
    line = [program, "--json", "--quiet", "policy", "solve", cell["policy"], "--prism", str(model)]
    for name in ("profile", "sensor", "delays", "prints", "days", "logins", "mistyped"):
        line += [f"--{name}", str(cell[name])]
    if cell["patience"]:
        line += ["--patience", str(cell["patience"])]
    run = subprocess.run(line, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(line)}: {run.stdout}{run.stderr}")
    answer = json.loads(run.stdout)
    found = {one["name"]: one["value"] for one in answer["quantities"]}
    return found, answer["prism"]["states"]


def ask_storm(model, cell):
    """The same of Storm, which builds the model and sums it up; also the states that it met."""
    import stormpy
    from stormpy import environments

    program = stormpy.parse_prism_program(str(model))
    properties = stormpy.parse_properties(model.with_suffix(".props").read_text(), program)
    built = stormpy.build_model(program, properties)
    # The equations are solved directly, because an iteration stops before all digits are there.
    environment = environments.sound()
    solver = environment.solver()
    solver.set_linear_equation_solver_type(environments.EquationSolverType.EIGEN)
    initial = built.initial_states[0]
    sums = {one.get_name(): stormpy.model_checking(built, one, environment=environment).get_value(initial)
            for one in properties}
    found = {
        "falseRejects": sums["rejected"] / sums["transactions"] if sums["transactions"] else 0.0,
        "lockouts": sums["lockouts"] * document.YEAR / cell["days"],
        "everLockedOut": sums["everLockedOut"],
        "fallbacks": sums["fallbacks"] / sums["logins"],
        "denied": sums["denied"] / sums["logins"],
    }
    # The chain has the time of all logins, the solution that of those that succeed.
    if sums["denied"] == 0:
        found["time"] = sums["seconds"] / sums["logins"]
    if not math.isclose(sums["logins"], cell["days"] * cell["logins"], rel_tol=1e-12):
        raise SystemExit(f"Storm counts {sums['logins']} logins in {cell}")
    return found, built.nr_states


def ask_document(cell):
    return document.quantities(document.Case(**cell))


def difference(found, solved):
    """The largest relative difference of any quantity, and which one it is."""
    worst = (0.0, "")
    for name, value in found.items():
        size = max(abs(value), abs(solved[name]))
        # Nothing that can happen is as rare as this.
        if size > 1e-100:
            worst = max(worst, (abs(value - solved[name]) / size, name))
    return worst


def power(value):
    """A bound in words that the last digits do not change."""
    return "0" if value == 0 else f"1e{max(-15, math.ceil(math.log10(value)))}"


def write(path, rows):
    begin, end = "<!-- the grid, by `make policy-oracles` -->", "<!-- end of the grid -->"
    text = path.read_text()
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    if not rest or not after:
        raise SystemExit(f"{path} lacks the comments around the grid")
    head = ["policy", "lockout", "sensor", "delays", "days x logins", "states", "Storm within", "document within"]
    lines = [head, ["---"] * len(head), *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    path.write_text(f"{before}{begin}\n\n{table}\n\n{end}{after}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--only", choices=["storm", "document"])
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--spoil", action="store_true")
    options = parser.parse_args()
    if options.only != "document":
        try:
            import stormpy  # noqa: F401
        except ImportError:
            print("Skipped: Storm. The module stormpy is not there; .ci/setup installs it from PyPI where it can.")
            return 77
    grid = cells()
    chosen = grid[::max(1, len(grid) // options.sample)][:options.sample] if options.sample else grid
    rows, failures, total, most = [], [], 0, {"Storm": 0.0, "document": 0.0}
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        model = pathlib.Path(directory) / "chain.prism"
        for cell in chosen:
            solved, states = solve(options.program, cell, model)
            if options.spoil:
                lost = "const double lost = "
                model.write_text(model.read_text().replace(f"{lost}0.01;", f"{lost}0.01001;"))
                cell = dict(cell, mistyped=cell["mistyped"] + 0.001)
            asked = []
            if options.only != "document":
                found, met = ask_storm(model, cell)
                # Where passcodes are never mistyped, no state after a wrong one is met.
                if met > states or (met != states and cell["mistyped"] > 0):
                    failures.append(f"{cell}: {states} states were announced, Storm met {met}")
                states = met
                asked.append(("Storm", STORM, found))
            if options.only != "storm":
                asked.append(("document", DOCUMENT, ask_document(cell)))
            total += states
            row = [cell["policy"], cell["profile"], cell["sensor"], cell["delays"],
                   f"{cell['days']} x {cell['logins']}", str(states)]
            for name, allowed, found in asked:
                worst, quantity = difference(found, solved)
                most[name] = max(most[name], worst)
                row.append(power(worst))
                if worst > allowed:
                    failures.append(f"{cell}: {name} says {quantity} {found[quantity]}, solve {solved[quantity]}")
            rows.append(row)
            if options.table:
                print(*row, flush=True)
    for failure in failures:
        print(failure)
    differences = ", ".join(f"{name} differs by at most {value:.1e}" for name, value in most.items() if value)
    print(f"{len(chosen)} cells, {total} states, {time.monotonic() - begun:.0f} s; {differences or 'no difference'}")
    if options.table and not failures:
        write(options.table, rows)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
