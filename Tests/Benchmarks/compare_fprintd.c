// `authctl evaluate` and `fprintd-verify`, each a whole process with a finger that matches at once.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "commands.h"
#include "compare.h"
#include "harness.h"

struct verification {
  char **command;
  const char *sensor;
};

/// Sends one command to libfprint's virtual sensor, whose socket is there while the sensor is open.
static void tell_sensor(const char *path, const char *command) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  for (double end = now_us() + 5e6; now_us() < end; usleep(100)) {
    int sensor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(sensor, (void *)&address, sizeof address) == 0) {
      char answer[256];
      send(sensor, command, strlen(command), MSG_NOSIGNAL);
      shutdown(sensor, SHUT_WR);
      while (recv(sensor, answer, sizeof answer, 0) > 0) {}
      close(sensor);
      return;
    }
    close(sensor);
  }
  fail("the virtual sensor at %s does not open", path);
}

static void verify(void *context) {
  struct verification *verification = context;
  pid_t child = command_start(verification->command);
  tell_sensor(verification->sensor, "SCAN A");
  command_finish(child, verification->command[0]);
}

int compare_fprintd(int count, char **arguments) {
  int split = 1;
  while (split < count && strcmp(arguments[split], "--") != 0) split++;
  if (split == 1 || split >= count - 1) fail("two commands are needed, with -- between them");
  arguments[split] = NULL;
  struct verification verification = {arguments + split + 1, arguments[0]};
  struct rounds rounds =
      interleave(15, 5, command_run, arguments + 1, verify, &verification);
  report("authctl evaluate / fprintd-verify", "us", 0.5, &rounds);
  return 0;
}

int tell_fprintd(int count, char **arguments) {
  for (int i = 1; i < count; i++) {
    tell_sensor(arguments[0], arguments[i]);
    // The sensor takes one sample a stage and drops what comes between two of them.
    usleep(150000);
  }
  return 0;
}
