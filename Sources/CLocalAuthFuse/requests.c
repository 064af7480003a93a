#if __has_include(<fuse3/fuse_lowlevel.h>)

#include "library.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// How long the kernel may rely on names of directories and on status: what others do in the directory behind the
// file system is seen after that.
static const double patience = 1.0;

// Every request is answered by one call of the file system.
#define FUSE la_fuse *fuse = la_library.fuse_req_userdata(request)
#define CALL(name, ...) fuse->calls.name(fuse->context, __VA_ARGS__)

static void answer(fuse_req_t request, int error) { la_library.fuse_reply_err(request, error); }

static void init(void *context, struct fuse_conn_info *connection) {
  (void)context;
  // Content passes through buffers that are wiped, not through pipes. The parts of what is appended come one behind
  // the other.
  connection->want &= ~(unsigned)(FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE |
                                  FUSE_CAP_SPLICE_MOVE | FUSE_CAP_WRITEBACK_CACHE |
                                  FUSE_CAP_ASYNC_DIO | FUSE_CAP_HANDLE_KILLPRIV |
                                  FUSE_CAP_READDIRPLUS);
}

static struct fuse_entry_param parameters(const la_fuse_entry *entry) {
  struct fuse_entry_param parameters = {
      .ino = entry->node,
      .attr = entry->status,
      .attr_timeout = patience,
      // Another file may have taken the place of this one, and what is written to the old one would be lost.
      .entry_timeout = S_ISDIR(entry->status.st_mode) ? patience : 0,
  };
  return parameters;
}

static void answer_entry(fuse_req_t request, int error, const la_fuse_entry *entry) {
  if (error) return answer(request, error);
  struct fuse_entry_param found = parameters(entry);
  FUSE;
  // The kernel does not know of the entry if the answer did not reach it.
  if (la_library.fuse_reply_entry(request, &found) == -ENOENT) CALL(forget, entry->node, 1);
}

static void lookup(fuse_req_t request, fuse_ino_t parent, const char *name) {
  FUSE;
  la_fuse_entry entry;
  answer_entry(request, CALL(lookup, parent, name, &entry), &entry);
}

static void forget(fuse_req_t request, fuse_ino_t node, uint64_t lookups) {
  FUSE;
  CALL(forget, node, lookups);
  la_library.fuse_reply_none(request);
}

static void forget_many(fuse_req_t request, size_t count, struct fuse_forget_data *forgets) {
  FUSE;
  for (size_t index = 0; index < count; index++) {
    CALL(forget, forgets[index].ino, forgets[index].nlookup);
  }
  la_library.fuse_reply_none(request);
}

static void get_status(fuse_req_t request, fuse_ino_t node, struct fuse_file_info *info) {
  (void)info;
  FUSE;
  struct stat status;
  int error = CALL(status, node, &status);
  if (error) return answer(request, error);
  la_library.fuse_reply_attr(request, &status, patience);
}

static void set_status(fuse_req_t request, fuse_ino_t node, struct stat *wanted, int what,
                       struct fuse_file_info *info) {
  (void)info;
  FUSE;
  struct stat status;
  int error = CALL(set_status, node, what, wanted, &status);
  if (error) return answer(request, error);
  la_library.fuse_reply_attr(request, &status, patience);
}

static void read_link(fuse_req_t request, fuse_ino_t node) {
  FUSE;
  char room[4097];
  long count = CALL(target, node, room, sizeof room - 1);
  if (count < 0) return answer(request, (int)-count);
  room[count] = 0;
  la_library.fuse_reply_readlink(request, room);
}

static void make_node(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode,
                      dev_t device) {
  (void)device;
  FUSE;
  if (!S_ISREG(mode)) return answer(request, EPERM);
  la_fuse_entry entry;
  uint64_t handle;
  int error = CALL(create, parent, name, mode & 07777, O_RDWR | O_EXCL, &entry, &handle);
  if (!error) CALL(release, entry.node, handle);
  answer_entry(request, error, &entry);
}

static void make_directory(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode) {
  FUSE;
  la_fuse_entry entry;
  answer_entry(request, CALL(make_directory, parent, name, mode & 07777, &entry), &entry);
}

static void make_link(fuse_req_t request, const char *target, fuse_ino_t parent,
                      const char *name) {
  FUSE;
  la_fuse_entry entry;
  answer_entry(request, CALL(make_link, target, parent, name, &entry), &entry);
}

static void make_hard_link(fuse_req_t request, fuse_ino_t node, fuse_ino_t parent,
                           const char *name) {
  (void)node, (void)parent, (void)name;
  answer(request, EPERM);
}

static void unlink_file(fuse_req_t request, fuse_ino_t parent, const char *name) {
  FUSE;
  answer(request, CALL(remove, parent, name, false));
}

static void remove_directory(fuse_req_t request, fuse_ino_t parent, const char *name) {
  FUSE;
  answer(request, CALL(remove, parent, name, true));
}

static void rename_file(fuse_req_t request, fuse_ino_t parent, const char *name,
                        fuse_ino_t new_parent, const char *new_name, unsigned flags) {
  FUSE;
  answer(request, CALL(rename, parent, name, new_parent, new_name, flags));
}

static void open_file(fuse_req_t request, fuse_ino_t node, struct fuse_file_info *info) {
  FUSE;
  uint64_t handle;
  int error = CALL(open, node, info->flags, &handle);
  if (error) return answer(request, error);
  info->fh = handle;
  // Nobody needs one who only reads.
  info->noflush = (info->flags & O_ACCMODE) == O_RDONLY;
  if (la_library.fuse_reply_open(request, info) == -ENOENT) CALL(release, node, handle);
}

static void create_file(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode,
                        struct fuse_file_info *info) {
  FUSE;
  la_fuse_entry entry;
  uint64_t handle;
  int error = CALL(create, parent, name, mode & 07777, info->flags, &entry, &handle);
  if (error) return answer(request, error);
  info->fh = handle;
  struct fuse_entry_param made = parameters(&entry);
  if (la_library.fuse_reply_create(request, &made, info) == -ENOENT) {
    CALL(release, entry.node, handle);
    CALL(forget, entry.node, 1);
  }
}

static void read_file(fuse_req_t request, fuse_ino_t node, size_t size, off_t offset,
                      struct fuse_file_info *info) {
  (void)info;
  FUSE;
  char *room = malloc(size ? size : 1);
  if (!room) return answer(request, ENOMEM);
  long count = CALL(read, node, room, size, offset);
  if (count < 0) {
    answer(request, (int)-count);
  } else {
    la_library.fuse_reply_buf(request, room, (size_t)count);
    explicit_bzero(room, (size_t)count);
  }
  free(room);
}

static void write_file(fuse_req_t request, fuse_ino_t node, const char *bytes, size_t size,
                       off_t offset, struct fuse_file_info *info) {
  FUSE;
  // A page that a program has mapped belongs where it is.
  bool appends = info->flags & O_APPEND && !info->writepage;
  int error = CALL(write, node, bytes, size, offset, appends);
  if (error) return answer(request, error);
  la_library.fuse_reply_write(request, size);
}

static void flush(fuse_req_t request, fuse_ino_t node, struct fuse_file_info *info) {
  FUSE;
  answer(request, CALL(seal, node, info->fh, true));
}

static void synchronize(fuse_req_t request, fuse_ino_t node, int only_data,
                        struct fuse_file_info *info) {
  (void)only_data;
  FUSE;
  answer(request, CALL(seal, node, info->fh, false));
}

static void release(fuse_req_t request, fuse_ino_t node, struct fuse_file_info *info) {
  FUSE;
  CALL(release, node, info->fh);
  answer(request, 0);
}

static void reserve(fuse_req_t request, fuse_ino_t node, int mode, off_t offset, off_t length,
                    struct fuse_file_info *info) {
  (void)info;
  FUSE;
  answer(request, CALL(reserve, node, mode, offset, length));
}

static void open_directory(fuse_req_t request, fuse_ino_t node, struct fuse_file_info *info) {
  FUSE;
  int error = CALL(open_directory, node, &info->fh);
  if (error) return answer(request, error);
  uint64_t handle = info->fh;
  if (la_library.fuse_reply_open(request, info) == -ENOENT) {
    fuse->calls.release_directory(fuse->context, handle);
  }
}

static void read_directory(fuse_req_t request, fuse_ino_t node, size_t size, off_t offset,
                           struct fuse_file_info *info) {
  (void)node;
  FUSE;
  char *room = malloc(size ? size : 1);
  if (!room) return answer(request, ENOMEM);
  size_t used = 0;
  la_fuse_name name;
  long found;
  while ((found = CALL(name, info->fh, offset, &name)) > 0) {
    struct stat status = {.st_ino = name.inode, .st_mode = name.type};
    offset++;
    size_t added = la_library.fuse_add_direntry(request, room + used, size - used, name.name,
                                                &status, offset);
    if (added > size - used) break;
    used += added;
  }
  // Only reading the directory anew fails, which comes before the first name.
  if (found < 0) {
    answer(request, (int)-found);
  } else {
    la_library.fuse_reply_buf(request, room, used);
  }
  free(room);
}

static void release_directory(fuse_req_t request, fuse_ino_t node, struct fuse_file_info *info) {
  (void)node;
  FUSE;
  fuse->calls.release_directory(fuse->context, info->fh);
  answer(request, 0);
}

static void synchronize_directory(fuse_req_t request, fuse_ino_t node, int only_data,
                                  struct fuse_file_info *info) {
  (void)only_data, (void)info;
  FUSE;
  answer(request, CALL(synchronize_directory, node));
}

static void get_space(fuse_req_t request, fuse_ino_t node) {
  (void)node;
  FUSE;
  struct statvfs space;
  int error = CALL(space, &space);
  if (error) return answer(request, error);
  la_library.fuse_reply_statfs(request, &space);
}

static void set_attribute(fuse_req_t request, fuse_ino_t node, const char *name, const char *value,
                          size_t size, int flags) {
  (void)flags;
  FUSE;
  answer(request, CALL(set_attribute, node, name, value, size));
}

/// Answers with as many bytes as there are, or, where `size` is 0, how many.
static void answer_bytes(fuse_req_t request, const char *room, long count, size_t size) {
  if (count < 0) {
    answer(request, (int)-count);
  } else if (size == 0) {
    la_library.fuse_reply_xattr(request, (size_t)count);
  } else {
    la_library.fuse_reply_buf(request, room, (size_t)count);
  }
}

static void get_attribute(fuse_req_t request, fuse_ino_t node, const char *name, size_t size) {
  FUSE;
  char *room = malloc(size ? size : 1);
  if (!room) return answer(request, ENOMEM);
  answer_bytes(request, room, CALL(attribute, node, name, room, size), size);
  free(room);
}

static void list_attributes(fuse_req_t request, fuse_ino_t node, size_t size) {
  FUSE;
  char *room = malloc(size ? size : 1);
  if (!room) return answer(request, ENOMEM);
  answer_bytes(request, room, CALL(attributes, node, room, size), size);
  free(room);
}

static void remove_attribute(fuse_req_t request, fuse_ino_t node, const char *name) {
  FUSE;
  answer(request, CALL(remove_attribute, node, name));
}

const struct fuse_lowlevel_ops la_fuse_requests = {
    .init = init,
    .lookup = lookup,
    .forget = forget,
    .forget_multi = forget_many,
    .getattr = get_status,
    .setattr = set_status,
    .readlink = read_link,
    .mknod = make_node,
    .mkdir = make_directory,
    .symlink = make_link,
    .link = make_hard_link,
    .unlink = unlink_file,
    .rmdir = remove_directory,
    .rename = rename_file,
    .open = open_file,
    .create = create_file,
    .read = read_file,
    .write = write_file,
    .flush = flush,
    .fsync = synchronize,
    .release = release,
    .fallocate = reserve,
    .opendir = open_directory,
    .readdir = read_directory,
    .releasedir = release_directory,
    .fsyncdir = synchronize_directory,
    .statfs = get_space,
    .setxattr = set_attribute,
    .getxattr = get_attribute,
    .listxattr = list_attributes,
    .removexattr = remove_attribute,
};

#endif
