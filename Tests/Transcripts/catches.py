#!/usr/bin/env python3
"""Shows that a digest changes with what must not change, and with nothing that chance chose.

catches.py PROGRAMS [SEED]   makes one transcript, and changes one thing after the other in it
"""

import copy
import json
import os
import sys
import tempfile
import unittest

import stage
from transcripts import begin, digested, lived, written

SAID, STORED = range(2)


class Digests(unittest.TestCase):
    """Each test changes a copy of what one life has said."""

    life = None

    def changed(self, change):
        """Which halves of the digest differ after a change of what was said."""
        lines, *names = copy.deepcopy(self.life)
        change(lines)
        before, after = (digested(written(*life)).split() for life in (self.life, [lines, *names]))
        return [half for half in (SAID, STORED) if before[half] != after[half]]

    def replies(self, lines, name):
        """The replies that have a field."""
        found = [reply for _, heard, _ in lines for told in heard.values() for reply in told if name in reply]
        self.assertTrue(found, f"nobody said {name}; take another seed")
        return found

    def test_an_outcome(self):
        def change(lines):
            self.replies(lines, "result")[0]["result"]["outcome"] = "another"
        self.assertEqual(self.changed(change), [SAID])

    def test_an_error(self):
        self.assertEqual(self.changed(lambda lines: self.replies(lines, "error")[0].update(error="Other")), [SAID])

    def test_an_audit_line_that_is_missing(self):
        self.assertEqual(self.changed(lambda lines: self.replies(lines, "lines")[-1]["lines"].pop()), [SAID])

    def test_a_reply_that_is_missing(self):
        self.assertEqual(self.changed(lambda lines: next(heard for _, heard, _ in lines if heard).popitem()), [SAID])

    def test_an_exit_status(self):
        self.assertEqual(self.changed(lambda lines: self.replies(lines, "exit")[0].update(exit=99)), [SAID])

    def test_a_second_of_waiting(self):
        def change(lines):
            self.replies(lines, "prompt")[0]["prompt"]["secondsLeft"] = 29
        self.assertEqual(self.changed(change), [SAID])

    def test_one_more_guarded_commit(self):
        def change(lines):
            for _, _, stored in lines[len(lines) // 2:]:
                stored[0] += 1
        self.assertEqual(self.changed(change), [STORED])

    def test_no_identifier_of_chance(self):
        """Another nonce and another evaluation say the same; one that answers for two does not."""
        evaluations = {reply["prompt"]["evaluation"] for reply in self.replies(self.life[0], "prompt")}

        def renamed(name):
            def change(lines):
                text = json.dumps(lines)
                for number, evaluation in enumerate(sorted(evaluations)):
                    text = text.replace(evaluation, name(number))
                lines[:] = json.loads(text)
            return change

        self.assertEqual(self.changed(renamed(lambda number: f"{number + 16:032x}")), [])
        if len(evaluations) > 1:
            self.assertEqual(self.changed(renamed(lambda number: "0" * 32)), [SAID])


def main(programs, seed="8"):
    if os.geteuid() != 0:
        return print("Transcripts need root. None was made.")
    begin()
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        Digests.life = lived(os.path.abspath(programs), stage.build(directory), int(seed))
    unittest.main(argv=[sys.argv[0]])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
