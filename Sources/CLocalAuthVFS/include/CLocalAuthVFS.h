#pragma once
#include <sqlite3.h>

// What SQLite asks of a file system, as far as Swift cannot say it: see vfs.c.

// The SQLite that loaded this code as an extension, instead of the one that it is linked with.
void la_vfs_use(const void *_Nonnull api);

// A file as SQLite keeps it; it allocates the memory.
typedef struct la_vfs_file {
  sqlite3_file base;
  void *_Nullable handle;
} la_vfs_file;

typedef int (*la_vfs_open)(
    sqlite3_vfs *_Nonnull, const char *_Nullable name, sqlite3_file *_Nonnull, int flags, int *_Nullable out);

// Called when a file was deleted.
typedef void (*la_vfs_deleted)(void *_Nonnull owner, const char *_Nonnull name);

// A file system that opens files by itself, and passes everything else to the one that was the default.
typedef struct la_vfs {
  sqlite3_vfs base;
  sqlite3_vfs *_Nonnull system;
  la_vfs_deleted _Nonnull deleted;
  void *_Nonnull owner;
} la_vfs;

// Registers a file system, which stays for as long as the process lives. Returns a code of SQLite.
int la_vfs_register(
    const char *_Nonnull name, int is_default, la_vfs_open _Nonnull open, la_vfs_deleted _Nonnull deleted,
    void *_Nonnull owner);

// Whether a file system of this name is registered.
int la_vfs_is_registered(const char *_Nonnull name);

// Opens a database as Apple's SQLite does: the bits of `la_vfs_protection_bits` in the flags reach the file system, from
// which SQLite keeps them.
int la_vfs_open_v2(
    const char *_Nonnull name, sqlite3 *_Nullable *_Nonnull database, int flags, const char *_Nullable vfs);

enum { la_vfs_protection_bits = 0x00700000 };

// The bits with which this thread opens a database at this moment.
int la_vfs_current_bits(void);

// The file of the database that a journal of this name belongs to.
sqlite3_file *_Nullable la_vfs_database_file(const char *_Nonnull journal);

// A parameter of the URI that a database was opened with.
const char *_Nullable la_vfs_parameter(const char *_Nonnull name, const char *_Nonnull key);

// A copy of `text` that SQLite frees.
char *_Nullable la_vfs_text(const char *_Nonnull text);

void la_vfs_log(int code, const char *_Nonnull text);

// What SQLite asks for between two threads that share memory.
static inline void la_vfs_fence(void) { __sync_synchronize(); }

// Codes that SQLite composes in a way that Swift does not import.
enum {
  la_ok_load_permanently = SQLITE_OK_LOAD_PERMANENTLY,
  la_ioerr_read = SQLITE_IOERR_READ,
  la_ioerr_short_read = SQLITE_IOERR_SHORT_READ,
  la_ioerr_write = SQLITE_IOERR_WRITE,
  la_ioerr_fsync = SQLITE_IOERR_FSYNC,
  la_ioerr_truncate = SQLITE_IOERR_TRUNCATE,
  la_ioerr_fstat = SQLITE_IOERR_FSTAT,
  la_ioerr_lock = SQLITE_IOERR_LOCK,
  la_ioerr_shmmap = SQLITE_IOERR_SHMMAP,
  la_ioerr_auth = SQLITE_IOERR_AUTH,
  la_ioerr_data = SQLITE_IOERR_DATA,
  la_ioerr_nomem = SQLITE_IOERR_NOMEM,
};
