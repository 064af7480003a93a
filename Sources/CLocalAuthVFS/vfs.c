#include "CLocalAuthVFS.h"

#include <sqlite3ext.h>
#include <stdlib.h>
#include <string.h>

// The names are macros for members of the table that an extension gets. This code is also linked with the
// library, which has no such table.
#undef sqlite3_vfs_register
#undef sqlite3_vfs_find
#undef sqlite3_database_file_object
#undef sqlite3_uri_parameter
#undef sqlite3_open_v2
#undef sqlite3_mprintf
#undef sqlite3_log

static const sqlite3_api_routines *loaded;

void la_vfs_use(const void *api) { loaded = api; }

#define CALL(name, ...) (loaded ? loaded->name(__VA_ARGS__) : sqlite3_##name(__VA_ARGS__))

static sqlite3_vfs *system_of(sqlite3_vfs *vfs) { return ((la_vfs *)vfs)->system; }

static int delete_and_tell(sqlite3_vfs *vfs, const char *name, int syncs) {
  int status = system_of(vfs)->xDelete(system_of(vfs), name, syncs);
  if (status == SQLITE_OK) ((la_vfs *)vfs)->deleted(((la_vfs *)vfs)->owner, name);
  return status;
}

static int forward_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  return system_of(vfs)->xAccess(system_of(vfs), name, flags, result);
}

static int forward_full_path(sqlite3_vfs *vfs, const char *name, int size, char *path) {
  return system_of(vfs)->xFullPathname(system_of(vfs), name, size, path);
}

static void *forward_dl_open(sqlite3_vfs *vfs, const char *name) {
  return system_of(vfs)->xDlOpen(system_of(vfs), name);
}

static void forward_dl_error(sqlite3_vfs *vfs, int size, char *text) {
  system_of(vfs)->xDlError(system_of(vfs), size, text);
}

static void (*forward_dl_symbol(sqlite3_vfs *vfs, void *library, const char *name))(void) {
  return system_of(vfs)->xDlSym(system_of(vfs), library, name);
}

static void forward_dl_close(sqlite3_vfs *vfs, void *library) {
  system_of(vfs)->xDlClose(system_of(vfs), library);
}

static int forward_randomness(sqlite3_vfs *vfs, int size, char *bytes) {
  return system_of(vfs)->xRandomness(system_of(vfs), size, bytes);
}

static int forward_pause(sqlite3_vfs *vfs, int microseconds) {
  return system_of(vfs)->xSleep(system_of(vfs), microseconds);
}

static int forward_time(sqlite3_vfs *vfs, double *day) {
  return system_of(vfs)->xCurrentTime(system_of(vfs), day);
}

static int forward_last_error(sqlite3_vfs *vfs, int size, char *text) {
  return system_of(vfs)->xGetLastError(system_of(vfs), size, text);
}

static int forward_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  return system_of(vfs)->xCurrentTimeInt64(system_of(vfs), milliseconds);
}

int la_vfs_is_registered(const char *name) { return CALL(vfs_find, name) != NULL; }

int la_vfs_register(const char *name, int is_default, la_vfs_open open, la_vfs_deleted deleted, void *owner) {
  sqlite3_vfs *system = CALL(vfs_find, NULL);
  if (!system || system->iVersion < 2) return SQLITE_NOTFOUND;
  la_vfs *vfs = calloc(1, sizeof *vfs);
  char *copy = strdup(name);
  if (!vfs || !copy) {
    free(vfs);
    free(copy);
    return SQLITE_NOMEM;
  }
  int own = (int)sizeof(la_vfs_file);
  vfs->system = system;
  vfs->deleted = deleted;
  vfs->owner = owner;
  vfs->base = (sqlite3_vfs){
      .iVersion = 2,
      // Some files are the system's own.
      .szOsFile = system->szOsFile > own ? system->szOsFile : own,
      .mxPathname = system->mxPathname,
      .zName = copy,
      .xOpen = open,
      .xDelete = delete_and_tell,
      .xAccess = forward_access,
      .xFullPathname = forward_full_path,
      .xDlOpen = forward_dl_open,
      .xDlError = forward_dl_error,
      .xDlSym = forward_dl_symbol,
      .xDlClose = forward_dl_close,
      .xRandomness = forward_randomness,
      .xSleep = forward_pause,
      .xCurrentTime = forward_time,
      .xGetLastError = forward_last_error,
      .xCurrentTimeInt64 = forward_time_int64,
  };
  return CALL(vfs_register, &vfs->base, is_default);
}

static _Thread_local int current_bits;

int la_vfs_current_bits(void) { return current_bits; }

int la_vfs_open_v2(const char *name, sqlite3 **database, int flags, const char *vfs) {
  current_bits = flags & la_vfs_protection_bits;
  int status = CALL(open_v2, name, database, flags & ~la_vfs_protection_bits, vfs);
  current_bits = 0;
  return status;
}

sqlite3_file *la_vfs_database_file(const char *journal) { return CALL(database_file_object, journal); }

const char *la_vfs_parameter(const char *name, const char *key) { return CALL(uri_parameter, name, key); }

char *la_vfs_text(const char *text) { return CALL(mprintf, "%s", text); }

void la_vfs_log(int code, const char *text) { CALL(log, code, "%s", text); }
