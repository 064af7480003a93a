#define _GNU_SOURCE
#include "place.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *item(pam_handle_t *pam, int type) {
  const void *value = NULL;
  return pam_get_item(pam, type, &value) == PAM_SUCCESS && value != NULL ? value : "";
}

bool place_is_our_own(pam_handle_t *pam) {
  const char *service = item(pam, PAM_SERVICE);
  if (strcmp(service, "localauth") == 0 || strncmp(service, "localauth-", 10) == 0) return true;
  // A worker may have been told any service: the program is the kernel's word.
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  const char *name = strrchr(path, '/');
  return name != NULL && strcmp(name + 1, "localauth-pam-worker") == 0;
}

// Reads a small file, a zero after it; false where that is not to be had.
static bool read_file(const char *path, char *bytes, size_t room) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return false;
  ssize_t length = read(file, bytes, room - 1);
  close(file);
  bytes[length > 0 ? length : 0] = '\0';
  return length > 0;
}

// Whether the session that this process is in came over the network, as logind noted it.
static bool session_is_remote(void) {
  char group[4096], path[256], session[4096];
  if (!read_file("/proc/self/cgroup", group, sizeof group)) return false;
  const char *name = strstr(group, "/session-");
  if (name == NULL) return false;
  name += strlen("/session-");
  size_t length = strcspn(name, "./\n");
  if (length == 0 || length > 32 || strncmp(name + length, ".scope", 6) != 0) return false;
  snprintf(path, sizeof path, "/run/systemd/sessions/%.*s", (int)length, name);
  return read_file(path, session, sizeof session) && strstr(session, "REMOTE=1\n") != NULL;
}

bool place_is_remote(pam_handle_t *pam) {
  const char *host = item(pam, PAM_RHOST), *terminal = item(pam, PAM_TTY), *service = item(pam, PAM_SERVICE);
  if (*host != '\0' && strcmp(host, "localhost") != 0) return true;
  if (strcmp(service, "sshd") == 0 || strcmp(terminal, "ssh") == 0) return true;
  return *terminal == '\0' || session_is_remote();
}
