#include "ledger.h"

#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

#include "harness.h"

/// The daemon's device row with its tag, and its ledger's row: 300 bytes.
#define STATE_SIZE 300
/// An audit line of the daemon's: 180 bytes.
#define LINE_SIZE 180

struct ledger {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit, *state, *insert, *update;
  sqlite3_int64 line;
  uint8_t bytes[STATE_SIZE];
};

static struct ledger only;

static void run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  if (code != SQLITE_DONE) fail("SQLite: %s", sqlite3_errstr(code));
  sqlite3_reset(statement);
}

static sqlite3_stmt *prepared(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
    fail("%s: %s", sql, sqlite3_errmsg(database));
  return statement;
}

struct ledger *ledger_open(const char *path) {
  sqlite3 *database;
  if (sqlite3_open_v2(path, &database,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                      NULL) != SQLITE_OK)
    fail("%s cannot be opened", path);
  const char *schema =
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4096;"
      "CREATE TABLE state (id INTEGER PRIMARY KEY, record BLOB);"
      "CREATE TABLE line (id INTEGER PRIMARY KEY, record BLOB);"
      "INSERT INTO state VALUES (1, zeroblob(300));";
  char *message = NULL;
  if (sqlite3_exec(database, schema, NULL, NULL, &message) != SQLITE_OK) fail("SQLite: %s", message);
  only.database = database;
  only.begin = prepared(database, "BEGIN IMMEDIATE");
  only.commit = prepared(database, "COMMIT");
  only.state = prepared(database, "UPDATE state SET record = ? WHERE id = 1");
  only.insert = prepared(database, "INSERT INTO line (record) VALUES (?)");
  only.update = prepared(database, "UPDATE line SET record = ?1 WHERE id = ?2");
  return &only;
}

static void write_state(struct ledger *ledger) {
  ledger->bytes[0]++;
  sqlite3_bind_blob(ledger->state, 1, ledger->bytes, STATE_SIZE, SQLITE_STATIC);
  run(ledger->state);
}

void ledger_charge(struct ledger *ledger) {
  run(ledger->begin);
  write_state(ledger);
  sqlite3_bind_blob(ledger->insert, 1, ledger->bytes, LINE_SIZE, SQLITE_STATIC);
  run(ledger->insert);
  ledger->line = sqlite3_last_insert_rowid(ledger->database);
  run(ledger->commit);
}

void ledger_settle(struct ledger *ledger) {
  run(ledger->begin);
  write_state(ledger);
  sqlite3_bind_blob(ledger->update, 1, ledger->bytes, LINE_SIZE, SQLITE_STATIC);
  sqlite3_bind_int64(ledger->update, 2, ledger->line);
  run(ledger->update);
  run(ledger->commit);
}
