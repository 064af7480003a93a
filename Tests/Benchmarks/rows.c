// A thousand rows of SQLite in one commit, as durable as ours: what the plainest store of settings
// does for a thousand values.
//
// usage: rows FILE COUNT    prints nanoseconds for one commit and how many rows there are
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define ROWS 1000

static sqlite3 *database;
static sqlite3_stmt *insert;

static void check(int code) {
  if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
    fail("SQLite: %s", sqlite3_errmsg(database));
}

static void execute(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

static void commit(int number) {
  execute("BEGIN IMMEDIATE");
  for (int row = 0; row < ROWS; row++) {
    char key[32], value[64];
    snprintf(key, sizeof key, "key %d", row);
    snprintf(value, sizeof value, "value %d of round %d", row, number);
    check(sqlite3_bind_text(insert, 1, key, -1, SQLITE_STATIC));
    check(sqlite3_bind_blob(insert, 2, value, (int)strlen(value), SQLITE_STATIC));
    check(sqlite3_step(insert));
    check(sqlite3_reset(insert));
  }
  execute("COMMIT");
}

int main(int count, char **arguments) {
  if (count != 3) fail("usage: rows FILE COUNT");
  if (sqlite3_open(arguments[1], &database) != SQLITE_OK) fail("%s cannot be opened", arguments[1]);
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = FULL");
  execute("CREATE TABLE IF NOT EXISTS value (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID");
  check(sqlite3_prepare_v2(database, "INSERT OR REPLACE INTO value VALUES (?, ?)", -1, &insert, NULL));
  int rounds = atoi(arguments[2]);
  commit(0);
  double start = now_us();
  for (int number = 1; number <= rounds; number++) commit(number);
  printf("%f %x\n", (now_us() - start) * 1000 / rounds, ROWS);
  sqlite3_finalize(insert);
  sqlite3_close(database);
  return 0;
}
