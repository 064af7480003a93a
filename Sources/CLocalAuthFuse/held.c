#include "held.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

_Static_assert(LA_TIME_KEPT == UTIME_OMIT, "Swift reads no UTIME_OMIT");
_Static_assert(LA_OPEN_UNSEEN == O_NOATIME, "Swift reads no O_NOATIME");

static int checked(int status) { return status < 0 ? -errno : status; }

int la_held_again(int file) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return checked(open(path, O_PATH | O_CLOEXEC));
}

int la_held_status(int file, struct stat *status) {
  return checked(fstatat(file, "", status, AT_EMPTY_PATH));
}

int la_held_set_owner(int file, uid_t user, gid_t group) {
  return checked(fchownat(file, "", user, group, AT_EMPTY_PATH));
}

int la_held_set_times(int file, struct timespec accessed, struct timespec modified) {
  struct timespec times[] = {accessed, modified};
  return checked(utimensat(file, "", times, AT_EMPTY_PATH));
}

int la_held_rename(int directory, const char *name, int new_directory, const char *new_name,
                   unsigned flags) {
  return checked(renameat2(directory, name, new_directory, new_name, flags));
}

/// A lock of one byte, which a directory can have too; it is the open file's, and excludes nobody who reads.
static struct flock mark(short type, int place) {
  return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
}

int la_held_mark(int directory, int place) {
  struct flock lock = mark(F_RDLCK, place);
  return checked(fcntl(directory, F_OFD_SETLK, &lock));
}

int la_held_is_marked(int directory, int place) {
  struct flock lock = mark(F_WRLCK, place);
  int status = checked(fcntl(directory, F_OFD_GETLK, &lock));
  return status < 0 ? status : lock.l_type != F_UNLCK;
}
