#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

static int entry_open(int directory, const char *name, int flags) {
  int entry = openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC);
  return entry < 0 ? -errno : entry;
}

int la_entry_hold(int directory, const char *name) { return entry_open(directory, name, O_PATH); }

int la_entry_read(int directory, const char *name) {
  return entry_open(directory, name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

int la_entry_rename(int directory, const char *name, const char *new_name, bool is_new) {
  // Not every system that replaces knows flags.
  int status = is_new ? renameat2(directory, name, directory, new_name, RENAME_NOREPLACE)
                      : renameat(directory, name, directory, new_name);
  return status == 0 ? 0 : -errno;
}

int la_unnamed_file(int directory, unsigned mode) {
  int made = openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  return made < 0 ? -errno : made;
}

long la_attribute_read(int file, const char *name, void *value, size_t size) {
  ssize_t count = fgetxattr(file, name, value, size);
  return count < 0 ? -errno : count;
}

int la_attribute_write(int file, const char *name, const void *value, size_t size) {
  return fsetxattr(file, name, value, size, 0) < 0 ? -errno : 0;
}

int la_attribute_remove(int file, const char *name) {
  return fremovexattr(file, name) < 0 ? -errno : 0;
}

int la_lease_take(int file) {
  // The usual signal, SIGIO, would end the process. SIGURG is ignored by default, and without an owner none is sent.
  if (fcntl(file, F_SETSIG, SIGURG) < 0 || fcntl(file, F_SETLEASE, F_RDLCK) < 0) return -errno;
  fcntl(file, F_SETOWN, 0);
  return 0;
}

int la_lease_is_whole(int file) { return fcntl(file, F_GETLEASE) == F_RDLCK; }

void la_lease_end(int file) { fcntl(file, F_SETLEASE, F_UNLCK); }

int la_file_is_immutable(int file) {
  int flags = 0;
  return ioctl(file, FS_IOC_GETFLAGS, &flags) == 0 && (flags & (FS_IMMUTABLE_FL | FS_APPEND_FL));
}

static const char access_list[] = "system.posix_acl_access";

int la_access_list_remove(int file) {
  if (fremovexattr(file, access_list) == 0) return 0;
  return errno == ENODATA || errno == ENOTSUP ? 0 : -errno;
}

int la_attributes_copy(int from, int to) {
  enum { max = 65536 };
  int status = la_access_list_remove(to);
  if (status < 0) return status;
  char *names = malloc(max), *value = malloc(max);
  ssize_t size = names && value ? flistxattr(from, names, max) : (errno = ENOMEM, -1);
  if (size < 0 && errno == ENOTSUP) size = 0;
  status = size < 0 ? -errno : 0;
  for (char *name = names; status == 0 && name < names + size; name += strlen(name) + 1) {
    if (strncmp(name, "user.", 5) != 0 && strcmp(name, access_list) != 0) continue;
    ssize_t count = fgetxattr(from, name, value, max);
    if (count < 0 || fsetxattr(to, name, value, (size_t)count, 0) < 0) status = -errno;
  }
  free(names);
  free(value);
  return status;
}

int la_memory_file(const char *name) {
  int made = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  return made < 0 ? -errno : made;
}

int la_directory_in_memory(const char *path) {
  struct statfs status;
  if (statfs(path, &status) < 0) return -errno;
  return status.f_type == TMPFS_MAGIC;
}

int la_file_is_kernels(const char *path) {
  static const unsigned long kernels[] = {
      PROC_SUPER_MAGIC, SYSFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC,
      0x62656570, // configfs, which the header does not name
  };
  struct statfs status;
  if (statfs(path, &status) < 0) return -errno;
  for (size_t index = 0; index < sizeof kernels / sizeof *kernels; index++)
    if ((unsigned long)status.f_type == kernels[index]) return 1;
  return 0;
}

int la_memory_file_seal(int file) {
  int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (fcntl(file, F_ADD_SEALS, seals) < 0 || fcntl(file, F_SETFD, 0) < 0) return -errno;
  return 0;
}
