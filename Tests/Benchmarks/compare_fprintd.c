// `authctl evaluate` and `fprintd-verify`, each a whole process with a finger that matches at once.
#define _GNU_SOURCE
#include <fcntl.h>
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

/// Lays finger A on libfprint's virtual sensor, which has a socket while somebody has it open.
static void touch(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int sensor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(sensor, (void *)&address, sizeof address) != 0) fail("%s is not open", path);
  send(sensor, "SCAN A", 6, MSG_NOSIGNAL);
  close(sensor);
}

/// Runs a program of fprintd's and touches the sensor whenever it says that it waits for a finger; a
/// touch before that it would miss.
static void touch_for(char **command, const char *sensor) {
  int output[2];
  if (pipe2(output, O_CLOEXEC) != 0) fail("no pipe");
  pid_t child = command_start(command, output[1]);
  close(output[1]);
  FILE *lines = fdopen(output[0], "r");
  char line[256];
  while (fgets(line, sizeof line, lines))
    if (strstr(line, "Verify started!") || strstr(line, "Enrolling") ||
        strstr(line, "enroll-stage-passed"))
      touch(sensor);
  fclose(lines);
  command_finish(child, command[0]);
}

static void verify(void *context) {
  struct verification *verification = context;
  touch_for(verification->command, verification->sensor);
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

int touch_fprintd(int count, char **arguments) {
  (void)count;
  touch_for(arguments + 1, arguments[0]);
  return 0;
}
