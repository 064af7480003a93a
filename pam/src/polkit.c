#define _GNU_SOURCE
#include "polkit.h"
#include "place.h"
#include "seat.h"
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

bool polkit_is_asking(pam_handle_t *pam) { return strcmp(place_item(pam, PAM_SERVICE), "polkit-1") == 0; }

// Whether a service manager started this process, for a connection as its descriptor 0. Whoever starts the
// setuid helper chooses its descriptors too, and so could name somebody else with one of them.
static bool is_for_connection(void) { return getuid() == 0 && seat_is_without_login(); }

// Writes the number of the process that a descriptor holds, which /proc has it under; false where it has none.
static bool find_process(int hold, char *number, size_t room) {
  char path[64], line[128];
  int process = 0;
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", hold);
  FILE *file = fopen(path, "re");
  if (file == NULL) return false;
  while (fgets(line, sizeof line, file) != NULL && sscanf(line, "Pid: %d", &process) != 1) continue;
  fclose(file);
  snprintf(number, room, "%d", process);
  return process > 0;
}

static bool is_alive(int hold) {
  struct pollfd end = {.fd = hold, .events = POLLIN};
  return poll(&end, 1, 0) == 0;
}

bool polkit_asker_is_here(void) {
  if (!is_for_connection()) return seat_is_of("self");
  int hold;
  char process[16];
  socklen_t length = sizeof hold;
  if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_PEERPIDFD, &hold, &length) != 0) return false;
  // If the one that connected lives still, what was read is its own, and not that of a later one of its number.
  bool is_here = find_process(hold, process, sizeof process) && seat_is_of(process) && is_alive(hold);
  close(hold);
  return is_here;
}

bool polkit_find_asker(uid_t *user) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  *user = getuid();
  if (!is_for_connection()) return true;
  if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || peer.pid <= 0) return false;
  *user = peer.uid;
  return true;
}
