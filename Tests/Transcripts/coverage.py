"""How often each method, outcome, error and exit status occurs in transcripts."""

import collections
import json
import re
from pathlib import Path

INTERFACES = Path(__file__).parent.parent.parent / "Sources/LocalAuthWire/Interfaces"


def methods():
    """Every method that is described."""
    for path in sorted(INTERFACES.glob("*.varlink")):
        for method in re.findall(r"^method (\w+)", path.read_text(), re.MULTILINE):
            yield f"{path.stem}.{method}"


def table(transcripts):
    counts = {name: collections.Counter() for name in ("methods", "outcomes", "errors", "statuses", "effects", "steps")}
    for transcript in transcripts:
        for said, _ in transcript:
            done, heard = json.loads(said)
            count(done, heard, counts)
    lines = []
    for name, found in counts.items():
        lines.append(f"{name}: " + ", ".join(f"{what} {number}" for what, number in found.most_common()))
    lines.append("never called: " + (", ".join(sorted(set(methods()) - set(counts["methods"]))) or "none"))
    return "\n".join(lines)


def count(done, heard, counts):
    if isinstance(done, dict) and "call" in done:
        counts["methods"][done["call"]] += 1
    else:
        counts["steps"][next(iter(done)) if isinstance(done, dict) else done] += 1
    for replies in heard.values():
        for reply in replies:
            if reply == "closed":
                counts["errors"]["closed"] += 1
            elif "exit" in reply:
                counts["statuses"][f"{reply['exit']}"] += 1
            elif "error" in reply:
                counts["errors"][reply["error"]] += 1
                if "outcome" in reply:
                    counts["outcomes"][reply["outcome"]] += 1
            if "effect" in reply:
                counts["effects"][reply["effect"]] += 1
            for name in ("result", "answer"):
                if isinstance(reply, dict) and isinstance(reply.get(name), dict):
                    counts["outcomes"][reply[name]["outcome"]] += 1
