#define _GNU_SOURCE
#include "place.h"
#include "polkit.h"
#include "seat.h"
#include <string.h>
#include <unistd.h>

const char *place_item(pam_handle_t *pam, int type) {
  const void *value = NULL;
  return pam_get_item(pam, type, &value) == PAM_SUCCESS && value != NULL ? value : "";
}

bool place_is_program(const char *name) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  const char *last = strrchr(path, '/');
  return last != NULL && strcmp(last + 1, name) == 0;
}

bool place_is_our_own(pam_handle_t *pam) {
  const char *service = place_item(pam, PAM_SERVICE);
  if (strcmp(service, "localauth") == 0 || strncmp(service, "localauth-", 10) == 0) return true;
  // A worker may have been told any service.
  return place_is_program("localauth-pam-worker");
}

bool place_is_remote(pam_handle_t *pam) {
  const char *host = place_item(pam, PAM_RHOST), *terminal = place_item(pam, PAM_TTY), *service = place_item(pam, PAM_SERVICE);
  if (*host != '\0' && strcmp(host, "localhost") != 0) return true;
  if (strcmp(service, "sshd") == 0 || strcmp(terminal, "ssh") == 0) return true;
  // polkit names no terminal for anybody.
  if (polkit_is_asking(pam)) return !polkit_asker_is_here();
  return *terminal == '\0' || !seat_is_taken();
}
