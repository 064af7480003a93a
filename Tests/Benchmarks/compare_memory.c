// What an idle daemon and its idle clients cost, and how long the daemon takes to start.
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "harness.h"
#include "wire.h"

extern char **environ;

static const char *const ask = "{\"method\":\"org.varlink.service.GetInfo\"}";

/// Kilobytes of anonymous memory, exact where smaps_rollup may be read (a daemon forbids dumps, so by
/// root alone), otherwise as the kernel counts them for status.
static double anonymous(const char *pid) {
  const char *files[] = {"smaps_rollup", "status"}, *keys[] = {"Anonymous:", "RssAnon:"};
  for (int i = 0; i < 2; i++) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%s/%s", pid, files[i]);
    FILE *file = fopen(path, "r");
    double kilobytes = -1;
    while (file && fgets(line, sizeof line, file))
      if (strncmp(line, keys[i], strlen(keys[i])) == 0) kilobytes = atof(line + strlen(keys[i]));
    if (file) fclose(file);
    if (kilobytes >= 0) return kilobytes;
  }
  fail("process %s is gone", pid);
}

int compare_memory(int count, char **arguments) {
  (void)count;
  int clients = atoi(arguments[2]);
  struct rlimit limit = {.rlim_cur = (rlim_t)clients + 64, .rlim_max = (rlim_t)clients + 64};
  setrlimit(RLIMIT_NOFILE, &limit);
  struct wire *wires = calloc((size_t)clients, sizeof *wires);
  if (!wires) fail("no memory for %d clients", clients);
  wire_open(&wires[0], arguments[0]);
  wire_call(&wires[0], ask, "LocalAuth");
  usleep(300000);
  double idle = anonymous(arguments[1]);
  for (int i = 1; i < clients; i++) {
    wire_open(&wires[i], arguments[0]);
    wire_call(&wires[i], ask, "LocalAuth");
  }
  usleep(300000);
  double full = anonymous(arguments[1]);
  report_size("idle daemon, anonymous memory", "MB", 4.0, idle / 1024);
  report_size("each of 1,000 idle clients", "KB", 2.0, (full - idle) / (clients - 1));
  return 0;
}

static void start_daemon(void *context) {
  char **arguments = context;
  char home[4096], ready[16];
  static int number;
  snprintf(home, sizeof home, "%s/start-%d", arguments[1], number++ % 2);
  int ends[2];
  if (pipe(ends) != 0) fail("no pipe");
  snprintf(ready, sizeof ready, "%d", ends[1]);
  char *command[] = {arguments[0], "--home", home, "--ready-fd", ready, NULL};
  pid_t child;
  if (posix_spawn(&child, command[0], NULL, NULL, command, environ) != 0)
    fail("%s does not start", command[0]);
  close(ends[1]);
  char byte;
  if (read(ends[0], &byte, 1) != 1) fail("%s is not ready", command[0]);
  close(ends[0]);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

int compare_start(int count, char **arguments) {
  (void)count;
  // The first start of a home makes its key and its database.
  start_daemon(arguments);
  start_daemon(arguments);
  double best = 1e9;
  for (int i = 0; i < 20; i++) {
    double took = measure(start_daemon, arguments, 1);
    if (took < best) best = took;
  }
  report_size("daemon from start to ready", "ms", 50.0, best / 1000);
  return 0;
}
