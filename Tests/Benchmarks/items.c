// The plainest keychain there is: rows of the same shape in SQLite, each with its data sealed by
// AES-256-GCM under one key. What ours has besides, a key for each item and sealed attributes, is its
// own affair: this is the least that any store of sealed data does for a read.
//
// usage: items fill OURS TWIN     rows like those of our database, which nobody has open
//        items read TWIN COUNT    prints nanoseconds for one read and a checksum
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define KEY_SIZE 32
#define DATA_SIZE 32
#define NONCE_SIZE 12
#define TAG_SIZE 16
#define SEALED_SIZE (NONCE_SIZE + DATA_SIZE + TAG_SIZE)

static const unsigned char secret_key[32] = "a key that is used for all of it";

static void check(int code, sqlite3 *database) {
  if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
    fail("SQLite: %s", sqlite3_errmsg(database));
}

static sqlite3 *open_database(const char *path, int flags) {
  sqlite3 *database;
  if (sqlite3_open_v2(path, &database, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
    fail("%s cannot be opened", path);
  return database;
}

static sqlite3_stmt *prepared(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), database);
  return statement;
}

static EVP_CIPHER_CTX *context(int seals) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
  if (EVP_CipherInit_ex2(context, cipher, secret_key, NULL, seals, NULL) != 1) fail("OpenSSL");
  return context;
}

// MARK: Fill

static EVP_CIPHER_CTX *sealing;

/// What localauth-items made the data of an item with this identifier.
static void data_of(const unsigned char *identifier, unsigned char *data) {
  for (int i = 0; i < DATA_SIZE; i++)
    data[i] = (unsigned char)"0123456789abcdef"[identifier[i / 2] >> (i % 2 ? 0 : 4) & 15];
}

static void seal(sqlite3_context *call, int count, sqlite3_value **values) {
  (void)count;
  unsigned char data[DATA_SIZE], sealed[SEALED_SIZE];
  const unsigned char *identifier = sqlite3_value_blob(values[0]);
  int written;
  data_of(identifier, data);
  memcpy(sealed, identifier, NONCE_SIZE);
  EVP_CipherInit_ex2(sealing, NULL, NULL, sealed, -1, NULL);
  EVP_CipherUpdate(sealing, NULL, &written, identifier, 16);
  EVP_CipherUpdate(sealing, sealed + NONCE_SIZE, &written, data, DATA_SIZE);
  EVP_CipherFinal_ex(sealing, sealed + SEALED_SIZE, &written);
  EVP_CIPHER_CTX_ctrl(sealing, EVP_CTRL_AEAD_GET_TAG, TAG_SIZE, sealed + NONCE_SIZE + DATA_SIZE);
  sqlite3_result_blob(call, sealed, SEALED_SIZE, SQLITE_TRANSIENT);
}

static void fill(const char *ours, const char *twin) {
  sqlite3 *database = open_database(twin, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  sealing = context(1);
  sqlite3_create_function(database, "seal", 1, SQLITE_UTF8, NULL, seal, NULL, NULL);
  char sql[8192];
  snprintf(sql, sizeof sql,
           "ATTACH '%s' AS ours; PRAGMA journal_mode = WAL;"
           "CREATE TABLE item (keychain INTEGER NOT NULL, class INTEGER NOT NULL, key BLOB NOT NULL,"
           "  id BLOB NOT NULL, protection INTEGER NOT NULL, class_key INTEGER NOT NULL,"
           "  sync INTEGER NOT NULL, tombstone INTEGER NOT NULL, modified INTEGER NOT NULL,"
           "  terms BLOB NOT NULL, access_control BLOB NOT NULL, wrapped_key BLOB NOT NULL,"
           "  attributes BLOB NOT NULL, secret BLOB, PRIMARY KEY (keychain, class, key))"
           "  STRICT, WITHOUT ROWID;"
           "INSERT INTO item SELECT keychain, class, key, id, protection, class_key, sync, tombstone,"
           "  modified, terms, access_control, wrapped_key, attributes, seal(id) FROM ours.item;",
           ours);
  char *message = NULL;
  if (sqlite3_exec(database, sql, NULL, NULL, &message) != SQLITE_OK) fail("SQLite: %s", message);
  sqlite3_close(database);
}

// MARK: Read

struct reader {
  sqlite3 *database;
  sqlite3_stmt *statement;
  EVP_CIPHER_CTX *opening;
};

static uint64_t read_item(struct reader *reader, const unsigned char *key) {
  unsigned char data[DATA_SIZE], none[TAG_SIZE];
  int written = 0, rest = 0;
  sqlite3_bind_int64(reader->statement, 1, 1);
  sqlite3_bind_int64(reader->statement, 2, 1);
  sqlite3_bind_blob(reader->statement, 3, key, KEY_SIZE, SQLITE_STATIC);
  if (sqlite3_step(reader->statement) != SQLITE_ROW) fail("an item is not there");
  const unsigned char *identifier = sqlite3_column_blob(reader->statement, 0);
  const unsigned char *sealed = sqlite3_column_blob(reader->statement, 1);
  if (sqlite3_column_bytes(reader->statement, 1) != SEALED_SIZE) fail("an item is damaged");
  if (EVP_CipherInit_ex2(reader->opening, NULL, NULL, sealed, -1, NULL) != 1 ||
      EVP_CipherUpdate(reader->opening, NULL, &written, identifier, 16) != 1 ||
      EVP_CipherUpdate(reader->opening, data, &written, sealed + NONCE_SIZE, DATA_SIZE) != 1 ||
      EVP_CIPHER_CTX_ctrl(reader->opening, EVP_CTRL_AEAD_SET_TAG, TAG_SIZE,
                          (void *)(sealed + NONCE_SIZE + DATA_SIZE)) != 1 ||
      EVP_CipherFinal_ex(reader->opening, none, &rest) != 1)
    fail("an item does not open");
  sqlite3_reset(reader->statement);
  uint64_t first;
  memcpy(&first, data, sizeof first);
  return first;
}

static uint64_t next(uint64_t *state) {
  uint64_t mixed = *state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
  return mixed ^ mixed >> 31;
}

static void read_all(const char *path, long count) {
  struct reader reader = {.database = open_database(path, SQLITE_OPEN_READONLY),
                          .opening = context(0)};
  // As ours has it, so that neither waits for pages.
  check(sqlite3_exec(reader.database, "PRAGMA cache_size = -8192", NULL, NULL, NULL), reader.database);
  reader.statement = prepared(
      reader.database, "SELECT id, secret FROM item WHERE keychain = ? AND class = ? AND key = ?");
  sqlite3_stmt *size = prepared(reader.database, "SELECT count(*) FROM item");
  sqlite3_step(size);
  size_t rows = (size_t)sqlite3_column_int64(size, 0), row = 0;
  sqlite3_finalize(size);
  unsigned char(*keys)[KEY_SIZE] = malloc(rows * KEY_SIZE);
  sqlite3_stmt *all = prepared(reader.database, "SELECT key FROM item ORDER BY keychain, class, key");
  if (rows == 0 || !keys) fail("there are no items");
  for (; row < rows && sqlite3_step(all) == SQLITE_ROW; row++)
    memcpy(keys[row], sqlite3_column_blob(all, 0), KEY_SIZE);
  sqlite3_finalize(all);
  for (row = 0; row < rows && row < 10000; row++) read_item(&reader, keys[row]);
  uint64_t state = 42, checksum = 0;
  double start = now_us();
  for (long i = 0; i < count; i++)
    checksum = (checksum << 5 | checksum >> 59) ^ read_item(&reader, keys[next(&state) % rows]);
  printf("%f %llx\n", (now_us() - start) * 1000 / (double)count, (unsigned long long)checksum);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  if (strcmp(arguments[1], "fill") == 0) fill(arguments[2], arguments[3]);
  else read_all(arguments[2], atol(arguments[3]));
  return 0;
}
