// Durable commits in plain C on SQLite, with rows as large as the daemon's.
#pragma once

struct ledger;

/// Opens a new database at `path`: WAL, synchronous FULL, statements prepared.
struct ledger *ledger_open(const char *path);

/// Updates the state row and adds an audit line, in one durable commit.
void ledger_charge(struct ledger *ledger);

/// Updates the state row and the audit line added last, in one durable commit.
void ledger_settle(struct ledger *ledger);
