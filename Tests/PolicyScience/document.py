"""The model of docs/policy-science.md, computed from that document and from the files of policies alone.

It shares nothing with the program: it has its own normal distribution, its own integral over people, its own rules of
a login ("The rules of a login" there), and sums forward over what may have happened. `quantities(case)` answers what
`authctl policy solve` answers. Times are seconds.
"""

import json
import math
import pathlib
import re
from statistics import NormalDist

NORMAL = NormalDist()
POLICIES = pathlib.Path(__file__).resolve().parents[2] / "policies"
LONGEST_WAIT = 60
EVALUATIONS = 3
DAY = 86400
YEAR = 365.25


def phi(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)(ms|s|m|h)?", str(text)).groups()
    return int(number) * {"ms": 0.001, "s": 1, None: 1, "m": 60, "h": 3600}[unit]


def shipped(kind, name):
    for path in sorted((POLICIES / kind).glob("*.json")):
        found = json.loads(path.read_text())
        if found["name"] == name:
            return found
    raise KeyError(name)


class Sensor:
    """People and their fingers: "The sensor", "The state of a finger" and "The people" of the document."""

    def __init__(self, file, prints):
        rates = file.get("calibration", {})
        separation, false_match = rates.get("dPrime"), rates.get("falseMatch")
        miss = rates.get("falseNonMatch")
        if miss is None:
            miss = phi(-NORMAL.inv_cdf(false_match) - separation)
        self.lost = file.get("failureToAcquire", 0.01)
        self.fake = file.get("bpcer", 0.01)
        self.unenrolled = file.get("failureToEnroll", 0.005) ** prints
        state = file.get("fingerState", {})
        self.impaired = state.get("impairedShare", 0.05)
        self.spell = seconds(state.get("impairedFor", "10m"))
        # What takes a miss of 1 % to 40 %, in deviations of the finger's own noise.
        self.shift = NORMAL.inv_cdf(state.get("impairedMiss", 0.4)) - NORMAL.inv_cdf(0.01)
        latency = file.get("latency", {"median": "400ms", "percentile95": "1s"})
        median, late = seconds(latency["median"]), seconds(latency["percentile95"])
        self.presentation = median * math.exp((math.log(late / median) / NORMAL.inv_cdf(0.95)) ** 2 / 2)
        self.people = list(self._people(file.get("population", {"kind": "probit"}), miss))

    def _people(self, population, miss):
        """Yields share, and the miss rates of a good and of an impaired finger; None of people without a print."""
        for share, rate in self._stated(population, miss):
            yield share * (1 - self.unenrolled), self._by_state(rate)
        yield self.unenrolled, None

    def _stated(self, population, miss):
        if population["kind"] == "goats":
            yield population["share"], population["goatMiss"]
            yield 1 - population["share"], population["othersMiss"]
            return
        own = population.get("correlation", 0.5)
        # The integral over people's own means, by Simpson's rule.
        steps, reach = 160, 9.0
        nodes = [(-reach + 2 * reach * i / steps, 1 if i in (0, steps) else 4 if i % 2 else 2)
                 for i in range(steps + 1)]
        nodes = [(x, weight * math.exp(-x * x / 2)) for x, weight in nodes]
        total = sum(weight for _, weight in nodes)
        for x, weight in nodes:
            yield weight / total, phi((NORMAL.inv_cdf(miss) - math.sqrt(own) * x) / math.sqrt(1 - own))

    def _by_state(self, rate):
        """The miss rates of both states whose mean is `rate`, with fingers taken for fakes on top."""
        if self.impaired == 0:
            good = rate
            wet = rate
        else:
            low, high = -45.0, 45.0
            for _ in range(200):
                x = (low + high) / 2
                mean = (1 - self.impaired) * phi(-x) + self.impaired * phi(-x + self.shift)
                low, high = (x, high) if mean > rate else (low, x)
            good, wet = phi(-low), phi(-low + self.shift)
        return tuple(self.fake + (1 - self.fake) * p for p in (good, wet))

    def drift(self, time):
        """The chances to worsen and to recover within `time`."""
        kept = math.exp(-time / self.spell / (1 - self.impaired))
        return self.impaired * (1 - kept), (1 - self.impaired) * (1 - kept)


class Table:
    """A table of delays: a lockout profile or a passcode delay table."""

    def __init__(self, file):
        self.rows, self.locks = file.get("delays", []), file.get("locksAt")
        self.forgets = file.get("forgets")

    def locked(self, failures):
        return self.locks is not None and failures >= self.locks

    def delay(self, failures):
        if self.locked(failures):
            return 0
        for row in self.rows:
            if row["from"] <= failures <= (row.get("through") or math.inf):
                doublings = (failures - row["from"]) // row["doublesEvery"] if "doublesEvery" in row else 0
                return seconds(row["delay"]) * 2 ** min(doublings, 20)
        return 0

    def standing(self, count, now):
        """The failures that are not forgotten at `now`."""
        failures, begun, length = count
        if not self.forgets or failures == 0:
            return failures
        passed = now - begun
        if "oneEvery" in self.forgets:
            return max(0, failures - int(passed // seconds(self.forgets["oneEvery"])))
        ended = self.forgets.get("afterRefusal") and 0 < length <= passed
        return 0 if passed >= seconds(self.forgets["all"]) or ended else failures

    def charge(self, count, now):
        failures = self.standing(count, now) + 1
        return failures, now, self.delay(failures)

    def left(self, count, now):
        """Seconds of refusal left; infinity if locked."""
        failures, begun, length = count
        if self.locked(failures):
            return math.inf
        return max(0, begun + length - now) if failures else 0

    def aged(self, count, gap):
        """The same count, seen `gap` later from a clock that starts anew, without what makes no difference."""
        failures, begun, length = count
        if failures == 0:
            return CLEAR
        if self.left(count, gap) == 0:
            if self.standing(count, gap) == 0:
                return CLEAR
            if not self.forgets:
                return failures, 0, 0
        return failures, begun - gap, length


CLEAR = (0, 0, 0)


class Requirement:
    """A tree of factors; what the person has otherwise is never there."""

    def __init__(self, tree):
        self.parts, self.all = None, False
        if isinstance(tree, dict) and ("allOf" in tree or "anyOf" in tree):
            self.all = "allOf" in tree
            self.parts = [Requirement(part) for part in tree.get("allOf") or tree["anyOf"]]
        else:
            self.leaf = tree if tree in ("biometry", "passcode") else "possession"

    def progress(self, proven, usable):
        """"met", ("open", factor) or ("blocked", factor)."""
        if self.parts is None:
            if self.leaf in proven:
                return "met"
            return ("open" if self.leaf in usable else "blocked"), self.leaf
        found = [part.progress(proven, usable) for part in self.parts]
        if self.all:
            blocked = [one for one in found if one[0] == "blocked"]
            opened = [one for one in found if one[0] == "open"]
            return blocked[0] if blocked else opened[0] if opened else "met"
        if "met" in found:
            return "met"
        opened = [one for one in found if one[0] == "open"]
        # What blocks all parts is what blocks the last one.
        return opened[0] if opened else found[-1]

    def useful(self, proven, usable):
        found = self.progress(proven, usable)
        if found == "met" or found[0] == "blocked":
            return set()
        if self.parts is None:
            return {self.leaf}
        return set().union(*(part.useful(proven, usable) for part in self.parts))

    def factors(self):
        return {self.leaf} if self.parts is None else set().union(*(part.factors() for part in self.parts))


# A login: what the device counts, and what happened so far. `F` and `P` are why finger and passcode are not used any
# more in this evaluation.
START = dict(now=0, mode="evaluating", left=EVALUATIONS, first=True, openings=0, proven=frozenset(), seen=0, wrong=0,
             F=None, P=None, touched=False, typed=False, misses=0, matched=False, transaction=False, rejected=False,
             accepted=False)


class Login:
    """The rules of a login; a state is a dictionary, a step is what the person does next."""

    def __init__(self, policy, lockout, delays, patience):
        self.need, self.patience = Requirement(policy["requirement"]), patience
        self.parallel = policy.get("presentation") == "parallel"
        self.fallback = policy.get("fallback", "allowed")
        self.tries = policy.get("passcodeTries", 3)
        self.fresh = {key: seconds(value) for key, value in policy.get("freshness", {}).items()}
        self.fingers, self.passcodes = Table(lockout), Table(delays)
        self.limit, self.offered = lockout.get("missesPerEvaluation"), lockout.get("fallbackAfterMisses", 0)

    def due(self, s):
        typed, match = s["now"] - s["pass_at"], s["now"] - s["match_at"]
        if "anyWithin" in self.fresh and min(typed, match) > self.fresh["anyWithin"]:
            return True
        if "passcodeWithin" not in self.fresh or typed <= self.fresh["passcodeWithin"]:
            return False
        return "unlessMatchedWithin" not in self.fresh or match > self.fresh["unlessMatchedWithin"]

    def finger(self, s):
        """None if a finger may be asked for, else why not, and for how many more seconds."""
        if not s["has_finger"]:
            return "unavailable", None
        left = self.fingers.left(s["finger_count"], s["now"])
        if left:
            return "lockout", left
        return ("lockout", math.inf) if self.due(s) else None

    def passcode(self, s):
        left = self.passcodes.left(s["passcode_count"], s["now"])
        return ("throttled", left) if left else None

    def usable(self, s):
        return {name for name, refused, excluded in
                (("biometry", self.finger(s), s["F"]), ("passcode", self.passcode(s), s["P"]))
                if refused is None and excluded is None}

    def unblocks(self, s):
        """Whether the passcode is asked for first, because only then the finger of the requirement counts."""
        if not s["has_finger"] or s["F"] or self.fingers.left(s["finger_count"], s["now"]) or not self.due(s):
            return False
        usable = self.usable(s)
        blocked = self.need.progress(s["proven"], usable)[0] == "blocked"
        return ("passcode" in usable and "passcode" in self.need.factors() - s["proven"] and blocked
                and self.need.progress(s["proven"], usable | {"biometry"})[0] != "blocked")

    def evaluate(self, s):
        s.update(mode="evaluating", proven=frozenset(), seen=0, wrong=0, F=None, P=None)
        usable = self.usable(s)
        if self.fallback == "forced" and self.need.progress(s["proven"], (usable | {"passcode"}) - {"biometry"})[0] != "blocked":
            s["F"] = "fallback"
        return self.proceed(s)

    def proceed(self, s):
        usable = self.usable(s)
        progress = self.need.progress(s["proven"], usable)
        if progress == "met":
            s["accepted"] = True
            return self.ended(s)
        if progress[0] == "blocked" and not self.unblocks(s):
            return self.failed(s, progress[1])
        if self.unblocks(s):
            asked = {"passcode"}
        else:
            asked = self.need.useful(s["proven"], usable) if self.parallel else {progress[1]}
        tired = self.patience is not None and s["misses"] >= self.patience
        if tired and asked == {"biometry"} and self.fallback != "forbidden" and s["seen"] >= self.offered:
            if self.need.progress(s["proven"], usable - {"biometry"})[0] != "blocked":
                s["F"] = "fallback"
                return self.proceed(s)
        if "biometry" in asked and not (tired and "passcode" in asked):
            s["finger_count"] = self.fingers.charge(s["finger_count"], s["now"])
            return "finger"
        s["passcode_count"] = self.passcodes.charge(s["passcode_count"], s["now"])
        return "passcode"

    def failed(self, s, factor):
        refused = {"biometry": self.finger, "passcode": self.passcode}.get(factor, lambda _: ("unavailable", None))(s)
        excluded = {"biometry": s["F"], "passcode": s["P"]}.get(factor)
        why, left = ("fallback", None) if excluded == "fallback" else refused or ("failed", None)
        self.first(s)
        s["left"] -= 1
        if s["left"] == 0:
            return self.ended(s)
        if why == "failed":
            return self.evaluate(s)
        if why in ("lockout", "throttled"):
            if left <= LONGEST_WAIT:
                return "wait", left
            if why == "lockout":
                return self.open(s)
        return self.ended(s)

    def open(self, s):
        s["mode"] = "opening"
        left = self.passcodes.left(s["passcode_count"], s["now"])
        if left:
            return ("wait", left) if left <= LONGEST_WAIT else self.ended(s)
        s["passcode_count"] = self.passcodes.charge(s["passcode_count"], s["now"])
        return "passcode"

    def first(self, s):
        if s["first"]:
            s.update(first=False, transaction=s["touched"], rejected=s["touched"] and not s["matched"])

    def ended(self, s):
        self.first(s)
        return "ended"

    # What happened; each returns the next step, and whether the sensor was closed.

    def matches(self, s):
        s.update(touched=True, matched=True, proven=s["proven"] | {"biometry"}, finger_count=CLEAR,
                 match_at=s["now"])
        return self.proceed(s), False

    def misses(self, s):
        s.update(touched=True, misses=min(s["misses"] + 1, self.patience or 0), seen=s["seen"] + 1)
        closed = self.fingers.left(s["finger_count"], s["now"]) > 0
        if self.limit is not None and s["seen"] >= self.limit:
            s["F"] = "failed"
        return self.proceed(s), closed

    def types(self, s, right):
        s["typed"] = True
        if right:
            s.update(passcode_count=CLEAR, finger_count=CLEAR, pass_at=s["now"])
        if s["mode"] == "opening":
            if right:
                s["openings"] = 0
                return self.evaluate(s), False
            s["openings"] += 1
            return (self.open(s) if s["openings"] < self.tries else self.ended(s)), False
        if right:
            s["proven"] = s["proven"] | {"passcode"}
        else:
            s["wrong"] += 1
            if s["wrong"] >= self.tries:
                s["P"] = "failed"
        return self.proceed(s), False

    def waited(self, s, time):
        s["now"] += time
        return (self.evaluate(s) if s["mode"] == "evaluating" else self.open(s)), False


class Case:
    """One cell of a grid, with the names of the options of `authctl policy solve`."""

    def __init__(self, policy, profile, sensor, delays="apple", prints=1, days=2, logins=2, mistyped=0.03, patience=None):
        self.policy, self.profile, self.delays = shipped("policy", policy), shipped("lockout", profile), delays
        self.sensor = Sensor(shipped("sensor", sensor), prints)
        self.days, self.logins, self.mistyped = days, logins, mistyped
        self.rules = Login(self.policy, self.profile, shipped("passcode-delay", delays), patience)
        self.graph = {}

    def successors(self, key):
        """What may follow a state of a login, whoever it is: {event: (state, closed)}."""
        if key not in self.graph:
            step, state = key[0], dict(key[1])
            found = {}

            def then(event, act):
                s = dict(state)
                step, closed = act(s)
                found[event] = ((step, frozenset(s.items())), closed)

            if step == "finger":
                then("match", self.rules.matches)
                then("miss", self.rules.misses)
            elif step == "passcode":
                then("right", lambda s: self.rules.types(s, True))
                then("wrong", lambda s: self.rules.types(s, False))
            elif step != "ended":
                then("waited", lambda s: self.rules.waited(s, step[1]))
            self.graph[key] = found
        return self.graph[key]

    def begin(self, device, has_finger):
        finger_count, passcode_count, pass_at, match_at = device
        s = dict(START, has_finger=has_finger, finger_count=finger_count, passcode_count=passcode_count,
                 pass_at=pass_at, match_at=match_at)
        return self.rules.evaluate(s), frozenset(s.items())


def moved(vector, step):
    good, impaired = vector
    worsens, recovers = step
    return good * (1 - worsens) + impaired * recovers, good * worsens + impaired * (1 - recovers)


def times(factor, vector):
    return tuple(factor * share for share in vector)


def plus(left, right):
    return tuple(a + b for a, b in zip(left, right))


NOBODY = (0.0, 0.0)


class Person:
    """People of one class, all their logins: sums, and the share whom the sensor closed on at least once.

    A share is a pair by the finger's state, good first; beside it goes the same share times the seconds of the login.
    """

    def __init__(self, case, miss):
        self.case, self.miss = case, miss
        self.present, self.typing = case.sensor.drift(case.sensor.presentation), case.sensor.drift(4)
        self.sums = dict.fromkeys(
            ("logins", "transactions", "rejected", "fallbacks", "denied", "lockouts", "presentations", "time"), 0.0)
        self.closed = 0.0
        self.live(until_closed=False)
        self.live(until_closed=True)

    def live(self, until_closed):
        case = self.case
        step = 17 * 3600 / case.logins
        first = 6 * 3600 + step / 2
        impaired = case.sensor.impaired
        crowd = {(CLEAR, CLEAR, -first, -math.inf): (1 - impaired, impaired)}
        for number in range(case.days * case.logins):
            gap = step if (number + 1) % case.logins else DAY - (case.logins - 1) * step
            after = {}
            for device, share in crowd.items():
                for state, left in self.login(device, share, until_closed):
                    key = self.seen(state, gap)
                    after[key] = plus(after.get(key, NOBODY), moved(left, case.sensor.drift(gap)))
            crowd = after

    def seen(self, s, gap):
        """The device at the next login, on a clock that begins there."""
        oldest = -max(self.case.rules.fresh.values(), default=0) - 1
        return (self.case.rules.fingers.aged(s["finger_count"], gap),
                self.case.rules.passcodes.aged(s["passcode_count"], gap),
                max(s["pass_at"] - gap, oldest), max(s["match_at"] - gap, oldest))

    def login(self, device, share, until_closed):
        """One login of a share of people; yields its ends with their shares."""
        now = {self.case.begin(device, self.miss is not None): (share, NOBODY)}
        while now:
            after = {}
            for key, (share, spent) in now.items():
                if key[0] == "ended":
                    s = dict(key[1])
                    if not until_closed:
                        self.count(s, sum(share), sum(spent))
                    yield s, share
                    continue
                follow = self.case.successors(key)
                for event, share_of_it, spent_of_it in self.events(key[0], share, spent, until_closed):
                    to, closed = follow[event]
                    if closed:
                        if until_closed:
                            self.closed += sum(share_of_it)
                            continue
                        self.sums["lockouts"] += sum(share_of_it)
                    if sum(share_of_it) > 0:
                        old = after.get(to, (NOBODY, NOBODY))
                        after[to] = plus(old[0], share_of_it), plus(old[1], spent_of_it)
            now = after

    def count(self, s, share, spent):
        self.sums["logins"] += share
        self.sums["transactions"] += share * s["transaction"]
        self.sums["rejected"] += share * s["rejected"]
        finger_alone = self.case.rules.need.progress({"biometry"}, set()) == "met"
        self.sums["fallbacks"] += share * (s["typed"] and finger_alone)
        self.sums["denied"] += share * (not s["accepted"])
        self.sums["time"] += spent * s["accepted"]

    def events(self, step, share, spent, until_closed):
        """What may happen at a step: the event, the share of it, and that times the seconds so far."""
        if step == "finger":
            return self.presented(share, spent, until_closed)
        if step == "passcode":
            share, spent = moved(share, self.typing), moved(plus(spent, times(4, share)), self.typing)
            wrong = self.case.mistyped
            return [(event, times(chance, share), times(chance, spent))
                    for event, chance in (("right", 1 - wrong), ("wrong", wrong))]
        drift = self.case.sensor.drift(step[1])
        return [("waited", moved(share, drift), moved(plus(spent, times(step[1], share)), drift))]

    def presented(self, share, spent, until_closed):
        """Presentations until one gives a sample, which is judged by the state that the finger was in."""
        sensor = self.case.sensor
        found = {"match": [NOBODY, NOBODY], "miss": [NOBODY, NOBODY]}
        whole = sum(share)
        while sum(share) > 1e-19 * whole:
            if not until_closed:
                self.sums["presentations"] += sum(share)
            spent = plus(spent, times(sensor.presentation, share))
            for event, rates in (("match", [1 - p for p in self.miss]), ("miss", self.miss)):
                for index, part in enumerate((share, spent)):
                    judged = tuple((1 - sensor.lost) * x * p for x, p in zip(part, rates))
                    found[event][index] = plus(found[event][index], moved(judged, self.present))
            share = moved(times(sensor.lost, share), self.present)
            spent = moved(times(sensor.lost, spent), self.present)
        return [(event, *parts) for event, parts in found.items()]


def quantities(case):
    """The quantities of `authctl policy solve` that this model has."""
    total, closed = {}, 0.0
    for share, miss in case.sensor.people:
        if share == 0:
            continue
        person = Person(case, miss)
        closed += share * person.closed
        for name, value in person.sums.items():
            total[name] = total.get(name, 0.0) + share * value
    return {
        "falseRejects": total["rejected"] / total["transactions"] if total["transactions"] else 0.0,
        "lockouts": total["lockouts"] * YEAR / case.days,
        "everLockedOut": closed,
        "fallbacks": total["fallbacks"] / total["logins"],
        "denied": total["denied"] / total["logins"],
        "time": total["time"] / max(total["logins"] - total["denied"], 1e-300),
    }
