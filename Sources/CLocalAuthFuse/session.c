#if __has_include(<fuse3/fuse_lowlevel.h>)

#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct la_fuse_library la_library;

static char complaint[512];

const char *la_fuse_complaint(void) { return complaint; }

static void keep_complaint(enum fuse_log_level level, const char *format, va_list values) {
  (void)level;
  vsnprintf(complaint, sizeof complaint, format, values);
  complaint[strcspn(complaint, "\n")] = 0;
}

const char *la_fuse_load(void) {
  void *library = dlopen("libfuse3.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library) return "libfuse3 is not installed";
#define LOAD(name)                                                                                 \
  la_library.name = (__typeof__(&name))dlsym(library, #name);                                      \
  if (!la_library.name) return "libfuse3 is older than 3.14";
  LA_FUSE_FUNCTIONS(LOAD)
#undef LOAD
  la_library.fuse_set_log_func(keep_complaint);
  return NULL;
}

/// Adds `source` as an option, in which a comma would begin another one.
static int add_source(struct fuse_args *arguments, const char *source) {
  char *option = malloc(2 * strlen(source) + 16);
  if (!option) return -1;
  char *end = stpcpy(option, "-ofsname=");
  for (; *source; source++) {
    if (*source == ',' || *source == '\\') *end++ = '\\';
    *end++ = *source;
  }
  *end = 0;
  int status = la_library.fuse_opt_add_arg(arguments, option);
  free(option);
  return status;
}

la_fuse *la_fuse_mount(const la_fuse_calls *calls, void *context, const char *source,
                       const char *mountpoint) {
  la_fuse *fuse = calloc(1, sizeof *fuse);
  if (!fuse) return NULL;
  fuse->calls = *calls;
  fuse->context = context;
  struct fuse_args arguments = FUSE_ARGS_INIT(0, NULL);
  // The kernel compares users and modes, as on any file system.
  const char *words[] = {"localauth-fuse", "-odefault_permissions,nosuid,nodev,subtype=localauth"};
  int status = 0;
  for (size_t index = 0; index < 2; index++) {
    status |= la_library.fuse_opt_add_arg(&arguments, words[index]);
  }
  status |= add_source(&arguments, source);
  if (!status) {
    fuse->session = la_library.fuse_session_new(&arguments, &la_fuse_requests,
                                                sizeof la_fuse_requests, fuse);
  }
  la_library.fuse_opt_free_args(&arguments);
  if (fuse->session && la_library.fuse_session_mount(fuse->session, mountpoint) == 0) return fuse;
  free(fuse);
  return NULL;
}

void la_fuse_serve(la_fuse *fuse) {
  struct fuse_buf buffer = {.mem = NULL};
  while (!la_library.fuse_session_exited(fuse->session)) {
    int size = la_library.fuse_session_receive_buf(fuse->session, &buffer);
    if (size == -EINTR) continue;
    if (size <= 0) break;
    la_library.fuse_session_process_buf(fuse->session, &buffer);
    // What a program wrote was in there.
    explicit_bzero(buffer.mem, (size_t)size);
  }
  free(buffer.mem);
}

void la_fuse_forget_pages(la_fuse *fuse, uint64_t node) {
  la_library.fuse_lowlevel_notify_inval_inode(fuse->session, node, 0, 0);
}

void la_fuse_forget_status(la_fuse *fuse, uint64_t node) {
  la_library.fuse_lowlevel_notify_inval_inode(fuse->session, node, -1, 0);
}

void la_fuse_unmount(la_fuse *fuse) { la_library.fuse_session_unmount(fuse->session); }

#else

#include "CLocalAuthFuse.h"

const char *la_fuse_load(void) { return "this program was built without libfuse3"; }
const char *la_fuse_complaint(void) { return ""; }
la_fuse *la_fuse_mount(const la_fuse_calls *calls, void *context, const char *source,
                       const char *mountpoint) {
  return NULL;
}
void la_fuse_serve(la_fuse *fuse) {}
void la_fuse_forget_pages(la_fuse *fuse, uint64_t node) {}
void la_fuse_forget_status(la_fuse *fuse, uint64_t node) {}
void la_fuse_unmount(la_fuse *fuse) {}

#endif
