// `authctl evaluate` and `fprintd-verify`, each a whole process with a finger that matches at once: on the simulated
// sensor, and through fprintd as well.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/pidfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
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
  struct verification verification = {arguments + second_command(count, arguments, 1), arguments[0]};
  struct rounds rounds =
      interleave(15, 5, command_run, arguments + 1, verify, &verification);
  report("authctl evaluate / fprintd-verify", "us", 0.35, &rounds);
  return 0;
}

/// A reader that says on the bus when it waits for a finger.
struct reader {
  sd_bus *bus;
  const char *sensor;
};

static int changed(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  struct reader *reader = context;
  const char *interface, *name;
  if (sd_bus_message_read(message, "s", &interface) < 0) return 0;
  if (sd_bus_message_enter_container(message, 'a', "{sv}") < 0) return 0;
  while (sd_bus_message_enter_container(message, 'e', "sv") > 0) {
    int isNeeded = 0;
    if (sd_bus_message_read(message, "s", &name) < 0) return 0;
    if (strcmp(name, "finger-needed") != 0) sd_bus_message_skip(message, "v");
    else if (sd_bus_message_read(message, "v", "b", &isNeeded) >= 0 && isNeeded)
      touch(reader->sensor);
    sd_bus_message_exit_container(message);
  }
  return 0;
}

struct scan {
  struct reader *reader;
  char **command;
};

/// Runs a program, and lays the finger whenever the reader waits for one.
static void run_touched(void *context) {
  struct scan *scan = context;
  sd_bus *bus = scan->reader->bus;
  pid_t child = command_start(scan->command, -1);
  int handle = pidfd_open(child, 0);
  struct pollfd ready[2] = {{handle, POLLIN, 0}, {sd_bus_get_fd(bus), POLLIN, 0}};
  while (!ready[0].revents) {
    while (sd_bus_process(bus, NULL) > 0) {}
    poll(ready, 2, -1);
  }
  close(handle);
  command_finish(child, scan->command[0]);
  // What the reader says of this scan must not count for the next one.
  while (sd_bus_process(bus, NULL) > 0) {}
}

int compare_reader(int count, char **arguments) {
  int second = second_command(count, arguments, 1);
  struct reader reader = {.sensor = arguments[0]};
  if (sd_bus_open_system(&reader.bus) < 0 ||
      sd_bus_match_signal(reader.bus, NULL, "net.reactivated.Fprint", NULL,
                          "org.freedesktop.DBus.Properties", "PropertiesChanged", changed,
                          &reader) < 0)
    fail("no bus");
  struct scan ours = {&reader, arguments + 1}, theirs = {&reader, arguments + second};
  struct rounds rounds = interleave(15, 5, run_touched, &ours, run_touched, &theirs);
  report("evaluate through fprintd / fprintd-verify", "us", 1.1, &rounds);
  sd_bus_unref(reader.bus);
  return 0;
}

int touch_fprintd(int count, char **arguments) {
  (void)count;
  touch_for(arguments + 1, arguments[0]);
  return 0;
}
