"""Power that goes while wrong passcodes are judged: no count is ever smaller afterwards."""

import time

from checks import attempts_left

# Fewer wrong ones than make anybody wait, so that the right one must open afterwards.
GUESSES = 3
LEFT_AT_FIRST = 10
# Seconds after an answer in which the next guess begins and is judged.
A_GUESS = 0.3
ANSWERS = "/var/answers"
PASSCODE = "493021"


def cuts(machine, report, chosen, times):
    print("power cuts", flush=True)
    lost = given_back = kept_out = judged = 0
    for number in range(times):
        device = f"cut-{number}"
        machine.run("authctl", "--system", "device", "create", device, "--passcode-stdin", user="alice",
                    text=PASSCODE + "\n")
        # Each answer is on the disk before the next guess begins.
        machine.write(ANSWERS, "", 0o666)
        guesses = machine.start(
            f"for i in $(seq {GUESSES}); do echo wrong | runuser -u alice -- authctl --system --device {device} "
            f"device unlock --stdin; echo $? >> {ANSWERS}; done")
        wait_for_answers(machine, chosen.randrange(GUESSES))
        time.sleep(chosen.uniform(0, A_GUESS))
        machine.cut_power()
        guesses.wait()
        answered = answers(machine)
        judged += answered
        machine.boot()
        left = attempts_left(machine, device)
        lost += left is None
        given_back += max(0, answered - (LEFT_AT_FIRST - left)) if left is not None else 0
        opened = machine.run("authctl", "--system", "--device", device, "device", "unlock", "--stdin", user="alice",
                             text=PASSCODE + "\n")
        kept_out += opened.returncode != 0
    report.expect(lost == 0, f"{times} power cuts lose no device", lost)
    report.expect(given_back == 0, f"and give none of {judged} wrong passcodes back", given_back)
    report.expect(kept_out == 0, "and keep the right passcode out of nothing", kept_out)


def answers(machine):
    """How many guesses were told that they are wrong."""
    with open(machine.root + ANSWERS) as file:
        return file.read().split().count("1")


def wait_for_answers(machine, count):
    limit = time.monotonic() + 30
    while answers(machine) < count and time.monotonic() < limit:
        time.sleep(0.01)
