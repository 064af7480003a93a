"""How often each method, outcome, error and exit status occurs in transcripts."""

import collections
import json
import re
from pathlib import Path

INTERFACES = Path(__file__).parent.parent.parent / "Sources/LocalAuthWire/Interfaces"

# Verbs of `authctl` that have verbs of their own.
GROUPS = {"device", "sensor", "passcode", "keychain", "policy", "grant"}


def methods():
    """Every method that is described."""
    for path in sorted(INTERFACES.glob("*.varlink")):
        for method in re.findall(r"^method (\w+)", path.read_text(), re.MULTILINE):
            yield f"{path.stem}.{method}"


def table(transcripts):
    counts = collections.defaultdict(collections.Counter)
    for transcript in transcripts:
        counts["lines"]["in all"] += len(transcript)
        for said, _ in transcript:
            done, heard = json.loads(said)
            count_step(done, counts)
            for reply in (reply for replies in [*heard.values(), *step_ended(done)] for reply in replies):
                count_reply(reply, counts)
    lines = [f"{name}: " + ", ".join(f"{what} {number}" for what, number in found.most_common())
             for name, found in counts.items()]
    never = sorted(set(methods()) - set(counts["methods"]))
    return "\n".join([*lines, "never called: " + (", ".join(never) or "none")])


def step_ended(done):
    return done["ended"].values() if isinstance(done, dict) and "ended" in done else []


def count_step(done, counts):
    if not isinstance(done, dict):
        counts["steps"][done] += 1
    elif "call" in done:
        counts["methods"][done["call"]] += 1
        counts["callers"][done["by"]] += 1
    elif "authctl" in done:
        words = [word for word in done["authctl"] if not word.startswith("-") and word not in {"sim", "other"}]
        counts["authctl"][" ".join(words[:2 if words[:1] and words[0] in GROUPS else 1])] += 1
    else:
        name = next(name for name in ("hold", "restart", *done) if name in done)
        counts["steps"][f"{name} {done[name]}" if name in {"hold", "restart"} else name] += 1


def count_reply(reply, counts):
    if reply == "closed":
        counts["errors"]["closed"] += 1
        return
    if "exit" in reply and "err" in reply:
        counts["exit statuses"][str(reply["exit"])] += 1
    if "error" in reply:
        counts["errors"][reply["error"]] += 1
        counts["refusals"][reply.get("outcome", "-")] += 1
    if "effect" in reply:
        counts["effects"][reply["effect"]] += 1
    for name in ("result", "dismissed", "answer"):
        if isinstance(told := reply.get(name), dict):
            counts[f"outcomes, {name}"][told["outcome"]] += 1
            counts["proven by"][told.get("method", "-")] += 1
            counts["of the keychain"][str(told.get("status", "-"))] += 1
    if prompt := reply.get("prompt"):
        shown = ("biometry", "passcode", "applicationPassword", "fallback", "items")
        counts["prompts"]["+".join(name for name in shown if prompt.get(name))] += 1
    if notice := reply.get("notice"):
        counts["notices"][notice["kind"]] += 1
    for line in reply.get("lines", []) if isinstance(reply.get("lines"), list) else []:
        counts["audit lines"][f"{line['action']}: {line['outcome']}"] += 1
