"""A life of devices at random: the same seed makes the same choices wherever the same is answered."""

import random
import signal

import devices
import evaluations
import items
import programs
import questions
import races
from driver import Driver


class Life:
    """The random choices of one transcript and where they lead."""

    def __init__(self, programs, home, tools, seed):
        self.random = random.Random(seed)
        self.driver, self.services = Driver(programs, home, *tools), tools[1]
        self.devices = ["sim", "other"][:self.choose([1, 1, 1, 2])]
        self.requests, self.accounts, self.keys = [], set(), 0

    def live(self):
        """All of it; the lines of the transcript."""
        try:
            self.meet()
            for device in self.devices:
                devices.create(self, device)
            for _ in range(self.random.randint(14, 32)):
                self.choose(self.steps)(self)
            self.release()
            questions.look(self)
            if self.chance(0.4):
                self.thin_out()
                self.driver.restart(signal.SIGTERM)
                questions.look(self)
            return self.driver.lines
        finally:
            self.driver.end()

    def meet(self):
        """Who else calls: nobody, one more process, or two on one terminal."""
        names, has_terminal = self.choose([([], False), (["alone"], False), (["first", "second"], True)])
        if names:
            self.driver.join(names, has_terminal)

    @property
    def steps(self):
        """What may happen next, and how often it should."""
        asking = len(self.asking)
        return {
            evaluations.scripted: 7, evaluations.asked: 3 if asking else 8, evaluations.answer: 36 if asking else 1,
            evaluations.repeated: 4, evaluations.reused: 2, evaluations.wrong: 1, evaluations.crowd: 1,
            evaluations.queued: 2, evaluations.assigned: 4, evaluations.register: 2, evaluations.grants: 3,
            devices.administer: 8, devices.drive: 6, devices.wait: 3, devices.restart: 1, devices.revive: 5,
            items.add: 7, items.use: 8, items.context: 2, races.judged: 3, races.stored: 3,
            programs.run: 8, questions.look: 1, questions.ask: 3, questions.misuse: 2,
        }

    def choose(self, weights):
        if isinstance(weights, dict):
            return self.random.choices(list(weights), list(weights.values()))[0]
        return self.random.choice(weights)

    def chance(self, share):
        return self.random.random() < share

    def some(self, **shares):
        """Each parameter by its share: (share, values)."""
        return {name: self.choose(values) for name, (share, values) in shares.items() if self.chance(share)}

    def thin_out(self, device=None):
        """Leaves what waits on a device, or on all, but for one call: several that end at once end in no order."""
        _, *more = [call for call in self.driver.underway
                    if device in (None, call.device) and not devices.is_ending(call)] or [None]
        for call in more:
            if call in self.driver.underway:
                self.driver.leave(call)

    def release(self):
        """Lets whatever was held go on."""
        for call in [call for call in self.driver.underway if devices.is_ending(call)]:
            self.thin_out(None if call.method == "authctl" else call.device)
        self.driver.release()

    @property
    def device(self):
        return self.choose(self.devices)

    @property
    def passcode(self):
        return self.choose({"1234": 7, "0000": 2, "4711": 1})

    @property
    def proof(self):
        """The passcode of a device, as most calls that need it have it."""
        return {"passcode": self.passcode} if self.chance(0.85) else {}

    @property
    def caller(self):
        return self.choose(self.driver.callers)

    @property
    def asking(self):
        """What shows a prompt."""
        return [call for call in self.driver.underway if call.prompt]

    def call(self, method, **parameters):
        if method in devices.ENDING:
            self.thin_out(parameters.get("device"))
        return self.driver.call(method, **parameters)
