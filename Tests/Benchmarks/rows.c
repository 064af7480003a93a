// Rows of SQLite in one commit, as durable as ours: what the plainest store does for as many values or rows.
//
// usage: rows FILE ROWS COUNT    prints nanoseconds for one commit and how many rows there are
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static sqlite3 *database;
static sqlite3_stmt *insert;

static void check(int code) {
  if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
    fail("SQLite: %s", sqlite3_errmsg(database));
}

static void execute(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

static void commit(int rows, int number) {
  execute("BEGIN IMMEDIATE");
  for (int row = 0; row < rows; row++) {
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
  if (count != 4) fail("usage: rows FILE ROWS COUNT");
  if (sqlite3_open(arguments[1], &database) != SQLITE_OK) fail("%s cannot be opened", arguments[1]);
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = FULL");
  execute("CREATE TABLE IF NOT EXISTS value (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID");
  check(sqlite3_prepare_v2(database, "INSERT OR REPLACE INTO value VALUES (?, ?)", -1, &insert, NULL));
  int rows = atoi(arguments[2]), rounds = atoi(arguments[3]);
  commit(rows, 0);
  double start = now_us();
  for (int number = 1; number <= rounds; number++) commit(rows, number);
  printf("%f %x\n", (now_us() - start) * 1000 / rounds, rows);
  sqlite3_finalize(insert);
  sqlite3_close(database);
  return 0;
}
