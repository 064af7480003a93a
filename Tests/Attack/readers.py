"""Fingers at a reader of fprintd's, while kill -9, cancels, a sleep or the lid come in between at any moment."""

import os
import random
import signal
import time

from reader_world import PATIENCE, RIGHT, WRONG, Desk, Unready, is_possible, wait_until
from rig import Tally

NAME = "readers"
# The most of it that one process does: what is more goes to further ones, side by side.
PART = 0.25
# In a sample the rest of the time is for the other campaigns.
FEW = 15
MISSES = 3
SCANS = 200
# Half of the disturbances come right after a step, the others within this many seconds.
LATEST = 0.08
SLOW = 5
# After so many kills the program rests for long, and a fresh daemon saves the time.
KILLS_OF_ONE_DAEMON = 2
# The outcome of an evaluation that the audit has the beginning of.
UNDER_WAY = "unknown"


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    if not is_possible():
        tally.findings.append("there is no fprintd here, so no reader was attacked")
        return tally
    desk = Desk(programs, work)
    try:
        disturbances(tally, desk, random.Random(seed), int(1000 * size) if size >= PART else FEW)
        wrong_scans(tally, desk)
    except Unready as error:
        tally.note("kept_out", str(error))
    finally:
        desk.end()
    return tally


# What comes in between


def kill_daemon(desk, _evaluation):
    # It alone: what it started notices by itself.
    desk.daemon.process.kill()
    desk.daemon.process.wait()


def kill_worker(desk, _evaluation):
    for worker in desk.workers:
        try:
            os.kill(worker, signal.SIGKILL)
        except ProcessLookupError:
            pass


def kill_reader_service(desk, _evaluation):
    desk.bus.tell("kill-reader-service")


def cancel(_desk, evaluation):
    evaluation.cancel()


def sleep(desk, _evaluation):
    desk.bus.tell("sleep 1")


def close_lid(desk, _evaluation):
    desk.bus.tell("lid 1")


def nothing(_desk, _evaluation):
    pass


DISTURBANCES = [kill_daemon, kill_worker, kill_reader_service, cancel, sleep, close_lid, nothing]


class Round:
    """What is done to one evaluation, chosen beforehand; the count is modelled from what was done and said."""

    def __init__(self, chosen, number):
        self.reason = f"round {number}"
        self.disturbance = chosen.choice(DISTURBANCES)
        self.scans = chosen.choices([WRONG, RIGHT], [3, 1], k=chosen.randrange(3))
        self.late = chosen.choice([None, None, RIGHT, WRONG])
        self.waits_for_reader = chosen.random() < 0.5
        self.moment = chosen.choice([0, chosen.uniform(0, LATEST)])
        self.proves_after = chosen.random() < 0.5

    def __str__(self):
        where = "once the reader asked" if self.waits_for_reader else "at once"
        return f"{self.disturbance.__name__} {where}, {self.moment * 1000:.0f} ms after {self.scans}, then {self.late}"

    def run(self, desk):
        """Does all of it; the evaluation, which is over."""
        evaluation = desk.evaluate(self.reason)
        if self.waits_for_reader:
            wait_until(lambda: evaluation.is_over or desk.bus.needs_finger, f"the reader asks, before {self}")
        for scan in self.scans:
            desk.touch(evaluation, scan)
        time.sleep(self.moment)
        self.disturbance(desk, evaluation)
        if self.late and desk.bus.needs_finger and desk.bus.tell(f"virtual SCAN {self.late}") is not None:
            evaluation.touched.append(self.late)
        self.undo(desk, evaluation)
        return evaluation

    def undo(self, desk, evaluation):
        """The machine is as it was, and nobody waits for the evaluation any more."""
        desk.bus.tell("sleep 0")
        desk.bus.tell("lid 0")
        if self.disturbance is kill_daemon:
            evaluation.join()
            desk.restart()
        elif self.disturbance is nothing and evaluation.touched == self.scans and RIGHT in self.scans:
            wait_until(lambda: evaluation.is_over, f"a match ends the evaluation, after {self}")
        evaluation.cancel()
        if self.disturbance is not kill_daemon:
            wait_until(lambda: desk.outcome_of(self.reason) != UNDER_WAY, f"the end of {self}")
        # What is scanned until then is nothing that the next one is asked for.
        wait_until(lambda: not desk.bus.needs_finger, f"an idle reader after {self}")

    def expect(self, tally, desk, evaluation, before):
        """No success without the right finger, no miss given back, and no more charged than was tried."""
        outcome = evaluation.outcome
        if outcome == "gone":
            # Nobody heard the end of it, but the audit has it unless it was cut off.
            outcome = desk.outcome_of(self.reason)
        left = desk.state()["attemptsLeft"]
        tally.count(f"ended as {outcome}")
        tally.count("misses that were said", evaluation.misses)
        if outcome == "success":
            tally.note("let_through", f"a success without the right finger: {self}", RIGHT not in evaluation.touched)
            tally.note("kept_out", f"{left} attempts left after a success: {self}", left != MISSES)
            return
        if evaluation.outcome == "gone" and RIGHT in evaluation.touched and left == MISSES:
            # The match was on the disk, and whoever asked was gone before they heard of it.
            return
        tally.note("given_back",
                   f"{left} attempts left of {before} after {evaluation.misses} misses, {outcome}: {self}",
                   left - max(0, before - evaluation.misses))
        # A touch that was cut off stays charged, and so does an attempt under way when the daemon is killed.
        most = len(evaluation.touched) + (self.disturbance is kill_daemon)
        tally.note("kept_out", f"{before - left} attempts charged for {most}: {self}", before - left - most)


def disturbances(tally, desk, chosen, count):
    kills = 0
    for number in range(count):
        one = Round(chosen, number)
        before = desk.state()["attemptsLeft"]
        evaluation = one.run(desk)
        tally.tries += 1
        tally.count(one.disturbance.__name__.replace("_", " "))
        one.expect(tally, desk, evaluation, before)
        recover(tally, desk, one)
        kills = kills + 1 if one.disturbance is kill_worker else kills
        if one.disturbance is kill_daemon or kills >= KILLS_OF_ONE_DAEMON:
            kills = 0
            desk.restart()
        if desk.daemon.has_crashed:
            return tally.note("crashes", f"the daemon: {desk.daemon.errors()}")


def recover(tally, desk, one):
    """The reader works again without anybody's help, and the passcode is asked for after three misses alone."""
    wait_until(lambda: desk.state()["biometry"] in ("usable", "biometryLockout"), f"a usable reader after {one}")
    state = desk.state()
    if state["biometry"] == "biometryLockout":
        tally.note("kept_out", f"the passcode comes first with {state['attemptsLeft']} left: {one}",
                   state["attemptsLeft"] > 0)
        tally.note("kept_out", f"the passcode was refused: {one}", desk.prove_passcode() != "success")
    if one.proves_after:
        waited = wait_until(lambda: matches(tally, desk, f"after {one.reason}"), f"a match after {one}")
        tally.count(f"waits of more than {SLOW} s for the reader", waited > SLOW)


def matches(tally, desk, reason):
    """Whether the right finger is a success; a person tries again while the reader is on its way back."""
    evaluation = desk.evaluate(reason)
    while desk.touch(evaluation, RIGHT):
        # The one that was asked for is judged before it is asked for again.
        wait_until(lambda: evaluation.is_over or not desk.bus.needs_finger, f"a judged finger {reason}")
    if evaluation.outcome != "success" and desk.bus.is_left_open:
        # No client can do anything about it but to wait for the end of fprintd.
        tally.count("readers that fprintd left open in a sleep")
        desk.bus.tell("kill-reader-service")
    return evaluation.outcome == "success"


def wrong_scans(tally, desk):
    """Three are judged, and then nobody is asked for a finger any more."""
    tally.note("kept_out", "the passcode was refused", desk.prove_passcode() != "success")
    # A reader that nobody tried since the last disturbance may be one that fprintd left open.
    wait_until(lambda: matches(tally, desk, "before the wrong scans"), "a match before the wrong scans")
    asked, scans = int(desk.bus.tell("asked")), 0
    deadline = time.monotonic() + PATIENCE
    while scans < SCANS and time.monotonic() < deadline:
        evaluation = desk.evaluate(f"wrong scan {scans}")
        while scans < SCANS:
            scans += 1
            # Where nobody is asked for it, a finger changes nothing.
            if not desk.touch(evaluation, WRONG):
                break
        wait_until(lambda e=evaluation: e.is_over, "the end of a wrong scan")
        tally.note("let_through", "a wrong scan was a success", evaluation.outcome == "success")
    tally.tries += scans
    tally.count("wrong scans", scans)
    judged = int(desk.bus.tell("asked")) - asked
    tally.note("let_through", f"{judged} scans were asked for where {MISSES} may be", judged - MISSES)
    tally.note("kept_out", f"only {judged} scans were asked for", MISSES - judged)
    tally.note("let_through", "fingers are not locked", desk.state()["biometry"] != "biometryLockout")
