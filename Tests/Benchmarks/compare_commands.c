// Whole processes: how long a command takes from its start to its end.
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "compare.h"
#include "harness.h"

extern char **environ;

pid_t command_start(char **command, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output < 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  else posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child;
  int error = posix_spawn(&child, command[0], &actions, NULL, command, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("%s: %s", command[0], strerror(error));
  return child;
}

void command_finish(pid_t child, const char *name) {
  int status;
  waitpid(child, &status, 0);
  if (status != 0) fail("%s ended with status %d", name, WEXITSTATUS(status));
}

void command_run(void *context) {
  char **command = context;
  command_finish(command_start(command, -1), command[0]);
}

int second_command(int count, char **arguments, int first) {
  int end = first;
  while (end < count && strcmp(arguments[end], "--") != 0) end++;
  if (end == first || end >= count - 1) fail("two commands are needed, with -- between them");
  arguments[end] = NULL;
  return end + 1;
}

int compare_commands(int count, char **arguments) {
  int second = second_command(count, arguments, 4);
  struct rounds rounds = interleave(atoi(arguments[2]), atoi(arguments[3]), command_run,
                                    arguments + 4, command_run, arguments + second);
  report(arguments[0], "us", atof(arguments[1]), &rounds);
  return 0;
}

/// Runs a program that prints nanoseconds a step and a checksum.
static double run_machine(const char *program, const char *steps, unsigned long long *checksum) {
  char command[4096];
  snprintf(command, sizeof command, "%s %s", program, steps);
  FILE *pipe = popen(command, "r");
  double nanoseconds = 0;
  if (!pipe || fscanf(pipe, "%lf %llx", &nanoseconds, checksum) != 2) fail("%s failed", program);
  pclose(pipe);
  return nanoseconds;
}

/// Both programs in turn; `isSame` is whether they do the very same, and so must agree on the checksum.
static int compare_programs(char **arguments, bool isSame) {
  struct rounds rounds = {.count = 9};
  unsigned long long ours = 0, theirs = 0;
  pin(0, last_processor());
  for (int i = 0; i < rounds.count; i++) {
    rounds.ours[i] = run_machine(arguments[2], arguments[4], &ours);
    rounds.theirs[i] = run_machine(arguments[3], arguments[4], &theirs);
    if (isSame && ours != theirs) fail("the checksums differ: %llx, in C %llx", ours, theirs);
  }
  report(arguments[0], "ns", atof(arguments[1]), &rounds);
  return 0;
}

int compare_machines(int count, char **arguments) {
  (void)count;
  return compare_programs(arguments, true);
}

int compare_paces(int count, char **arguments) {
  (void)count;
  return compare_programs(arguments, false);
}
