#pragma once

#include "CLocalAuthFuse.h"

#define FUSE_USE_VERSION 312
#include <fuse3/fuse_lowlevel.h>

// The functions that are called, each by a pointer that la_fuse_load sets.
#define LA_FUSE_FUNCTIONS(X)                                                                       \
  X(fuse_set_log_func)                                                                             \
  X(fuse_opt_add_arg)                                                                              \
  X(fuse_opt_free_args)                                                                            \
  X(fuse_session_new)                                                                              \
  X(fuse_session_mount)                                                                            \
  X(fuse_session_unmount)                                                                          \
  X(fuse_session_exited)                                                                           \
  X(fuse_session_receive_buf)                                                                      \
  X(fuse_session_process_buf)                                                                      \
  X(fuse_lowlevel_notify_inval_inode)                                                              \
  X(fuse_req_userdata)                                                                             \
  X(fuse_add_direntry)                                                                             \
  X(fuse_reply_err)                                                                                \
  X(fuse_reply_none)                                                                               \
  X(fuse_reply_entry)                                                                              \
  X(fuse_reply_create)                                                                             \
  X(fuse_reply_attr)                                                                               \
  X(fuse_reply_readlink)                                                                           \
  X(fuse_reply_open)                                                                               \
  X(fuse_reply_write)                                                                              \
  X(fuse_reply_buf)                                                                                \
  X(fuse_reply_statfs)                                                                             \
  X(fuse_reply_xattr)

#define LA_FUSE_POINTER(name) __typeof__(&name) name;
struct la_fuse_library {
  LA_FUSE_FUNCTIONS(LA_FUSE_POINTER)
};
#undef LA_FUSE_POINTER

extern struct la_fuse_library la_library;

struct la_fuse {
  struct fuse_session *session;
  la_fuse_calls calls;
  void *context;
};

/// What answers each request of the kernel, in requests.c.
extern const struct fuse_lowlevel_ops la_fuse_requests;
