#pragma once
#include <sqlite3.h>

// Swift cannot call a variadic function. Every option that we set takes one int.
static inline int la_sqlite_configure(sqlite3 *_Nonnull database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// SQLITE_TRANSIENT is -1 cast to a function pointer, which Swift does not import.
static inline int la_sqlite_bind_text(
    sqlite3_stmt *_Nonnull statement, int index, const char *_Nonnull text, sqlite3_uint64 size) {
  return sqlite3_bind_text64(statement, index, text, size, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int la_sqlite_bind_blob(
    sqlite3_stmt *_Nonnull statement, int index, const void *_Nonnull bytes, sqlite3_uint64 size) {
  return sqlite3_bind_blob64(statement, index, bytes, size, SQLITE_TRANSIENT);
}
