#define _GNU_SOURCE
#include "seat.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Compiled in; only tests build with another.
#ifndef LOCALAUTH_SESSIONS
#define LOCALAUTH_SESSIONS "/run/systemd/sessions"
#endif

#define RECORD_MAX 16384

// Reads a small file to its end, a zero after it; false where that is not to be had.
static bool read_all(int file, char *bytes, size_t room) {
  size_t length = 0;
  ssize_t count;
  while ((count = read(file, bytes + length, room - length)) > 0)
    if ((length += (size_t)count) == room) return false;
  bytes[length] = '\0';
  return count == 0 && length > 0 && strlen(bytes) == length;
}

static bool read_own(const char *path, char *bytes, size_t room) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool is_read = read_all(file, bytes, room);
  close(file);
  return is_read;
}

enum audit { AUDIT_NONE, AUDIT_SET, AUDIT_UNKNOWN };

// The numbers that audit gave a login.
struct login {
  unsigned long session;
  unsigned long user;
};

// A number that audit gave a process, named as in /proc. The highest one stands for none.
static enum audit read_audit(const char *process, const char *name, unsigned long *number) {
  char path[64], text[32], *end;
  snprintf(path, sizeof path, "/proc/%s/%s", process, name);
  if (!read_own(path, text, sizeof text)) return AUDIT_UNKNOWN;
  *number = strtoul(text, &end, 10);
  if (!isdigit((unsigned char)*text) || (*end != '\0' && *end != '\n')) return AUDIT_UNKNOWN;
  return *number >= 4294967295UL ? AUDIT_NONE : AUDIT_SET;
}

static enum audit read_login(const char *process, struct login *login) {
  enum audit session = read_audit(process, "sessionid", &login->session);
  return read_audit(process, "loginuid", &login->user) == session ? session : AUDIT_UNKNOWN;
}

// The value of the one line that sets `key`, and its length; NULL where none does, or several do.
static const char *value_of(const char *record, const char *key, size_t *length) {
  const char *value = NULL;
  size_t name = strlen(key);
  for (const char *line = record; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
    if (strncmp(line, key, name) != 0 || line[name] != '=') continue;
    if (value != NULL) return NULL;
    value = line + name + 1;
    *length = strcspn(value, "\n");
  }
  return value;
}

static bool has(const char *record, const char *key, const char *wanted) {
  size_t length;
  const char *value = value_of(record, key, &length);
  return value != NULL && length == strlen(wanted) && strncmp(value, wanted, length) == 0;
}

static bool has_number(const char *record, const char *key, unsigned long number) {
  char text[32];
  snprintf(text, sizeof text, "%lu", number);
  return has(record, key, text);
}

// Whether a record is that of its user at a seat of this machine, and in front there: a session that is not is
// "online".
static bool is_at_seat(const char *record, unsigned long user) {
  size_t seat = 0;
  return has(record, "STATE", "active") && value_of(record, "SEAT", &seat) != NULL && seat > 0 &&
         has(record, "REMOTE", "0") && has_number(record, "UID", user);
}

// The number of a session has letters and digits; its pipe and what is being written have a dot.
static bool is_session(const char *name) {
  for (const char *next = name; *next != '\0'; next++)
    if (!isalnum((unsigned char)*next)) return false;
  return true;
}

// Reads the record of a session; false where somebody else than root may have written it.
static bool read_record(int directory, const char *name, char *record) {
  int file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  struct stat status;
  bool is_read = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == 0 &&
                 (status.st_mode & 022) == 0 && read_all(file, record, RECORD_MAX);
  close(file);
  return is_read;
}

// Whether exactly one record has the session, and says that its user is at a seat.
static bool find_seat(DIR *directory, const struct login *login) {
  char record[RECORD_MAX];
  bool is_found = false, is_taken = false;
  for (;;) {
    errno = 0;
    struct dirent *entry = readdir(directory);
    if (entry == NULL) return errno == 0 && is_taken;
    if (!is_session(entry->d_name)) continue;
    if (!read_record(dirfd(directory), entry->d_name, record)) {
      // One that ended while we looked is none; any other might be a second one.
      if (errno == ENOENT) continue;
      return false;
    }
    if (!has_number(record, "AUDIT", login->session)) continue;
    if (is_found) return false;
    is_found = true;
    is_taken = is_at_seat(record, login->user);
  }
}

// Whether root itself asks at a virtual console, outside of every session, as login(1) does before there is
// one. The kernel says which terminal controls this process.
static bool is_console(void) {
  char status[1024];
  unsigned int terminal;
  if (getuid() != 0 || geteuid() != 0 || !read_own("/proc/self/stat", status, sizeof status)) return false;
  const char *rest = strrchr(status, ')');
  if (rest == NULL || sscanf(rest, ") %*c %*d %*d %*d %u", &terminal) != 1) return false;
  return terminal > 4 << 8 && terminal < (4 << 8) + 64;
}

static bool is_noted(const struct login *login) {
  DIR *directory = opendir(LOCALAUTH_SESSIONS);
  if (directory == NULL) return false;
  bool is_taken = find_seat(directory, login);
  closedir(directory);
  return is_taken;
}

bool seat_is_taken(void) {
  struct login login;
  enum audit audit = read_login("self", &login);
  return audit == AUDIT_NONE ? is_console() : audit == AUDIT_SET && is_noted(&login);
}

bool seat_is_of(const char *process) {
  struct login login;
  return read_login(process, &login) == AUDIT_SET && is_noted(&login);
}

bool seat_is_without_login(void) {
  struct login login;
  return read_login("self", &login) == AUDIT_NONE;
}
