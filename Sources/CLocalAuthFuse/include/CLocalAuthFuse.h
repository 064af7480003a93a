#pragma once

#include "held.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/// A file system that libfuse3 serves, reduced to calls that answer at once.
///
/// The library is loaded at run time, so that a program starts, and says so, where it is missing.

/// What a name leads to.
typedef struct la_fuse_entry {
  uint64_t node;
  struct stat status;
} la_fuse_entry;

/// A name in a directory.
typedef struct la_fuse_name {
  uint64_t inode;
  uint32_t type;
  char name[256];
} la_fuse_name;

/// What `set_status` is to change; the numbers are the library's.
enum {
  LA_FUSE_MODE = 1 << 0,
  LA_FUSE_USER = 1 << 1,
  LA_FUSE_GROUP = 1 << 2,
  LA_FUSE_SIZE = 1 << 3,
  LA_FUSE_ACCESSED = 1 << 4,
  LA_FUSE_MODIFIED = 1 << 5,
  LA_FUSE_ACCESSED_NOW = 1 << 7,
  LA_FUSE_MODIFIED_NOW = 1 << 8,
};

/// What the file system answers. Each call returns 0 or an error number, and `read`, `value` and `names` how
/// many bytes there are, or an error number negated; any thread calls them.
typedef struct la_fuse_calls {
  int (*_Nonnull lookup)(void *_Nonnull context, uint64_t parent, const char *_Nonnull name,
                         la_fuse_entry *_Nonnull entry);
  void (*_Nonnull forget)(void *_Nonnull context, uint64_t node, uint64_t lookups);
  int (*_Nonnull status)(void *_Nonnull context, uint64_t node, struct stat *_Nonnull status);
  int (*_Nonnull set_status)(void *_Nonnull context, uint64_t node, int what,
                             const struct stat *_Nonnull wanted, struct stat *_Nonnull status);
  long (*_Nonnull target)(void *_Nonnull context, uint64_t node, char *_Nonnull room, size_t size);
  int (*_Nonnull make_directory)(void *_Nonnull context, uint64_t parent,
                                 const char *_Nonnull name, uint32_t mode,
                                 la_fuse_entry *_Nonnull entry);
  int (*_Nonnull make_link)(void *_Nonnull context, const char *_Nonnull target, uint64_t parent,
                            const char *_Nonnull name, la_fuse_entry *_Nonnull entry);
  int (*_Nonnull remove)(void *_Nonnull context, uint64_t parent, const char *_Nonnull name,
                         bool is_directory);
  int (*_Nonnull rename)(void *_Nonnull context, uint64_t parent, const char *_Nonnull name,
                         uint64_t new_parent, const char *_Nonnull new_name, unsigned flags);
  int (*_Nonnull open)(void *_Nonnull context, uint64_t node, int flags,
                       uint64_t *_Nonnull handle);
  int (*_Nonnull create)(void *_Nonnull context, uint64_t parent, const char *_Nonnull name,
                         uint32_t mode, int flags, la_fuse_entry *_Nonnull entry,
                         uint64_t *_Nonnull handle);
  long (*_Nonnull read)(void *_Nonnull context, uint64_t node, void *_Nonnull room, size_t size,
                        int64_t offset);
  /// `appends` if the bytes go behind the content, wherever the kernel takes its end to be.
  int (*_Nonnull write)(void *_Nonnull context, uint64_t node, const void *_Nonnull bytes,
                        size_t size, int64_t offset, bool appends);
  /// For a program that synchronizes the file, or closes it.
  int (*_Nonnull seal)(void *_Nonnull context, uint64_t node, uint64_t handle, bool closes);
  void (*_Nonnull release)(void *_Nonnull context, uint64_t node, uint64_t handle);
  int (*_Nonnull reserve)(void *_Nonnull context, uint64_t node, int mode, int64_t offset,
                          int64_t length);
  int (*_Nonnull open_directory)(void *_Nonnull context, uint64_t node, uint64_t *_Nonnull handle);
  /// Returns 1, 0 behind the last name, or an error number negated; for index 0 the directory is read anew.
  long (*_Nonnull name)(void *_Nonnull context, uint64_t handle, int64_t index,
                        la_fuse_name *_Nonnull name);
  void (*_Nonnull release_directory)(void *_Nonnull context, uint64_t handle);
  int (*_Nonnull synchronize_directory)(void *_Nonnull context, uint64_t node);
  int (*_Nonnull space)(void *_Nonnull context, struct statvfs *_Nonnull space);
  int (*_Nonnull set_attribute)(void *_Nonnull context, uint64_t node, const char *_Nonnull name,
                                const void *_Nonnull value, size_t size);
  long (*_Nonnull attribute)(void *_Nonnull context, uint64_t node, const char *_Nonnull name,
                             void *_Nullable room, size_t size);
  long (*_Nonnull attributes)(void *_Nonnull context, uint64_t node, char *_Nullable room,
                              size_t size);
  int (*_Nonnull remove_attribute)(void *_Nonnull context, uint64_t node,
                                   const char *_Nonnull name);
} la_fuse_calls;

typedef struct la_fuse la_fuse;

/// Loads the library; returns why that is not possible, or NULL.
const char *_Nullable la_fuse_load(void);

/// Mounts a file system at `mountpoint`, for the caller alone; `context` is given to each call.
///
/// `source` is what tools show as the device. Returns NULL if that failed; `la_fuse_complaint` says why.
la_fuse *_Nullable la_fuse_mount(const la_fuse_calls *_Nonnull calls, void *_Nonnull context,
                                 const char *_Nonnull source, const char *_Nonnull mountpoint);

/// What the library said last, in one line; empty if nothing.
const char *_Nonnull la_fuse_complaint(void);

/// Answers requests until the file system is unmounted; several threads may do so.
void la_fuse_serve(la_fuse *_Nonnull fuse);

/// Has the kernel forget the content of a file: pages that were changed are written first, and those that
/// programs have mapped go too.
void la_fuse_forget_pages(la_fuse *_Nonnull fuse, uint64_t node);

/// Has the kernel ask for the status of a file again.
void la_fuse_forget_status(la_fuse *_Nonnull fuse, uint64_t node);

/// Unmounts it if it is still mounted; programs that have files open keep them until this process ends.
void la_fuse_unmount(la_fuse *_Nonnull fuse);
