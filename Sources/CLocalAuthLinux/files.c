#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

static int entry_open(int directory, const char *name, int flags) {
  int entry = openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC);
  return entry < 0 ? -errno : entry;
}

int la_entry_hold(int directory, const char *name) { return entry_open(directory, name, O_PATH); }

int la_entry_read(int directory, const char *name) {
  return entry_open(directory, name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

int la_unnamed_file(int directory, unsigned mode) {
  int made = openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  return made < 0 ? -errno : made;
}

int la_memory_file(const char *name) {
  int made = memfd_create(name, MFD_CLOEXEC);
  return made < 0 ? -errno : made;
}
