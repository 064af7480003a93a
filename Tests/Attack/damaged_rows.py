"""Rows of the database edited, removed, swapped, and put back, with everything else as it was."""

import os
import random
import sqlite3

from rig import Tally, copy
from states import History, try_state

NAME = "damaged rows"
# One history has so much to damage; a further one has other keys and other bytes.
PART = 5
# The rows that hold counts or vouch for them: their table, and which they are there.
KINDS = {"device": ("device", "owner >= 0"), "ledger": ("device", "owner = -1"), "keybag": ("keybag", "1")}


def run(programs, work, seed, size):
    tally = Tally(NAME, seed)
    chosen = random.Random(seed)
    history = History(programs, os.path.join(work, "history"))
    attacks = [*edited(history, chosen), *removed(), *taken_from_another_device(history), *put_back(history)]
    chosen.shuffle(attacks)
    for what, count, statements in attacks[:max(8, int(len(attacks) * size))]:
        home = os.path.join(work, "home")
        copy(history.at(count), home)
        if change(home, statements):
            try_state(tally, history, home, count, f"{what} after {count}")
    return tally


def change(home, statements):
    """Runs them; False when the table's own rules refuse, or nothing changed."""
    database = sqlite3.connect(os.path.join(home, "state.sqlite"))
    try:
        with database:
            return sum(database.execute(text, values).rowcount for text, values in statements) > 0
    except sqlite3.IntegrityError:
        return False
    finally:
        database.close()


def rows(home, kind):
    """Every row of a kind as a dictionary, read from a copy so that the log stays as it is."""
    copied = home + "-read"
    copy(home, copied)
    database = sqlite3.connect(os.path.join(copied, "state.sqlite"))
    database.row_factory = sqlite3.Row
    table, which = KINDS[kind]
    found = [dict(row) for row in database.execute(f"SELECT * FROM {table} WHERE {which}")]
    database.close()
    return found


def update(kind, row, values):
    """The statement that gives the row of this key other values."""
    changes = ", ".join(f"{name} = :{name}" for name in values)
    keys = {f"key_{name}": row[name] for name in ("owner", "name")}
    return (f"UPDATE {KINDS[kind][0]} SET {changes} WHERE owner = :key_owner AND name = :key_name",
            {**values, **keys})


def insert(kind, row):
    names = ", ".join(row)
    return (f"INSERT OR REPLACE INTO {KINDS[kind][0]} ({names}) VALUES ({', '.join(':' + name for name in row)})", row)


def edited(history, chosen):
    """Numbers up and down, flags turned, blobs with one bit, byte or end changed."""
    for count in (3, 10):
        for kind in KINDS:
            for row in rows(history.at(count), kind):
                if row["name"] not in ("sim", ""):
                    continue
                for column, value in row.items():
                    if column in ("owner", "name"):
                        continue
                    for other in variants(value, chosen):
                        what = f"{kind}.{column} edited"
                        yield what, count, [update(kind, row, {column: other})]


def variants(value, chosen):
    if isinstance(value, int):
        return {0, 1, value - 1, value + 1, value + 1000} - {value}
    changed = [b"", value[:-1], value + b"\0", bytes(len(value))]
    # Each byte of a record that is worth a guess: the counts may lie in any of them.
    places = range(len(value)) if len(value) <= 128 else sorted(chosen.sample(range(len(value)), 128))
    for place in places:
        for bits in (1, 0x80, value[place]):
            if bits:
                other = bytearray(value)
                other[place] ^= bits
                changed.append(bytes(other))
    return changed


def combinations():
    """Each kind alone and with others."""
    return [[kind for bit, kind in enumerate(KINDS) if mask >> bit & 1] for mask in range(1, 1 << len(KINDS))]


def removed():
    """Each kind of row gone, alone and with others; another device in the same place."""
    for count in (2, 10):
        for kinds in combinations():
            statements = ["DELETE FROM {} WHERE {}".format(*KINDS[kind]) for kind in kinds]
            yield f"rows of {' and '.join(kinds)} removed", count, [(text, {}) for text in statements]
        for table in ("device", "keybag"):
            yield f"other removed from {table}", count, [(f"DELETE FROM {table} WHERE name = 'other'", {})]
            yield f"names swapped in {table}", count, [
                (f"UPDATE {table} SET name = 'between' WHERE name = 'sim'", {}),
                (f"UPDATE {table} SET name = 'sim' WHERE name = 'other'", {}),
                (f"UPDATE {table} SET name = 'other' WHERE name = 'between'", {})]


def taken_from_another_device(history):
    """The other device has no wrong passcode; its record, tag, sequence and trust are copied over."""
    columns = ["record", "tag", "sequence", "trusted"]
    for count in (1, 5, 9, 10):
        other = next(row for row in rows(history.at(count), "device") if row["name"] == "other")
        for mask in range(1, 1 << len(columns)):
            names = [name for bit, name in enumerate(columns) if mask >> bit & 1]
            values = {name: other[name] for name in names}
            yield (f"another device's {' and '.join(names)}", count,
                   [update("device", {"owner": other["owner"], "name": "sim"}, values)])


def put_back(history):
    """Every row, pair and triple of rows of several older generations."""
    for count, older in [(1, 0), (4, 3), (7, 0), (10, 9), (10, 4), (10, 0)]:
        older_rows = {kind: rows(history.at(older), kind) for kind in KINDS}
        for kinds in combinations():
            statements = [insert(kind, row) for kind in kinds for row in older_rows[kind]]
            yield f"{' and '.join(kinds)} rows of {older}", count, statements
        for column in ("record", "tag", "sequence"):
            row = next(row for row in older_rows["device"] if row["name"] == "sim")
            yield f"the {column} of {older}", count, [update("device", row, {column: row[column]})]
