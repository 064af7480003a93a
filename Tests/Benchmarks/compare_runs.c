// Whole processes that run for seconds: how long one takes, and how much memory two take at their peak.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "commands.h"
#include "compare.h"
#include "harness.h"

/// Runs a command; what it had of memory at its peak, in KiB, or what we have when that is more: the kernel
/// counts the time before it becomes another program.
static double peak(char **command) {
  pid_t child = command_start(command, -1);
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child || status != 0) fail("%s failed", command[0]);
  return (double)usage.ru_maxrss;
}

int compare_peaks(int count, char **arguments) {
  int second = second_command(count, arguments, 2);
  struct rounds rounds = {.count = 3};
  for (int i = 0; i < rounds.count; i++) {
    rounds.ours[i] = peak(arguments + 2);
    rounds.theirs[i] = peak(arguments + second);
  }
  report(arguments[0], "KB", atof(arguments[1]), &rounds);
  return 0;
}

int measure_run(int count, char **arguments) {
  (void)count;
  double best = measure(command_run, arguments + 2, 1);
  for (int i = 0; i < 2; i++) {
    double took = measure(command_run, arguments + 2, 1);
    if (took < best) best = took;
  }
  report_size(arguments[0], "s", atof(arguments[1]), best / 1e6);
  return 0;
}
