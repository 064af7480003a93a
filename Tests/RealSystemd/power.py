"""Power that goes while wrong passcodes are judged: no count is ever smaller afterwards."""

import time

from checks import attempts_left

FREE_GUESSES = 4
LEFT_AT_FIRST = 10
PASSCODE = "493021"


def cuts(machine, report, chosen, times):
    print("power cuts", flush=True)
    given_back = kept_out = judged = 0
    for number in range(times):
        device = f"cut-{number}"
        machine.run("authctl", "--system", "device", "create", device, "--passcode-stdin", user="alice",
                    text=PASSCODE + "\n")
        # Each answer is on the disk before the next guess begins.
        machine.write("/var/answers", "", 0o666)
        guesses = machine.start(
            f"for i in $(seq {FREE_GUESSES}); do echo wrong | runuser -u alice -- authctl --system --device {device} "
            "device unlock --stdin; echo $? >> /var/answers; done")
        time.sleep(chosen.uniform(0.1, 2.5))
        machine.cut_power()
        guesses.wait()
        with open(machine.root + "/var/answers") as file:
            answered = file.read().split().count("1")
        judged += answered
        machine.boot()
        left = attempts_left(machine, device)
        # The last free guess is refused for a time, which says 0.
        counted = FREE_GUESSES if left == 0 else LEFT_AT_FIRST - left if left is not None else 0
        given_back += max(0, answered - counted)
        opened = machine.run("authctl", "--system", "--device", device, "device", "unlock", "--stdin", user="alice",
                             text=PASSCODE + "\n")
        kept_out += left not in (None, 0) and opened.returncode != 0
    report.expect(given_back == 0, f"{times} power cuts after {judged} wrong passcodes give none back", given_back)
    report.expect(kept_out == 0, "and keep the right passcode out of nothing", kept_out)
