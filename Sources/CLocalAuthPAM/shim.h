#pragma once
#include <security/pam_appl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static inline void la_pam_skip_delay(int status, unsigned microseconds, void *_Nullable data) {
  (void)status;
  (void)microseconds;
  (void)data;
}

/// Makes the transaction return at once after a failure, whatever delay its modules ask for. The item
/// is a function behind an object pointer, which Swift has no cast for.
static inline int la_pam_replace_delay(pam_handle_t *_Nonnull handle) {
  return pam_set_item(handle, PAM_FAIL_DELAY, (const void *)la_pam_skip_delay);
}

/// Keeps this process's memory out of core files and away from debuggers of the same user. False when
/// the system refuses.
static inline bool la_pam_forbid_dumps(void) {
  const struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

/// Whether the peer of a connected Unix socket is root or this process's own user, by the kernel's word.
static inline bool la_pam_peer_is_trusted(int descriptor) {
  // The layout of `struct ucred`, whose name the headers keep behind _GNU_SOURCE.
  struct { pid_t pid; uid_t uid; gid_t gid; } peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return size == sizeof peer && (peer.uid == 0 || peer.uid == geteuid());
}
