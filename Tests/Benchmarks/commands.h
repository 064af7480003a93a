// Whole processes.
#pragma once
#include <sys/types.h>

/// Starts a command, its output thrown away, or ends the benchmark.
pid_t command_start(char **command);

/// Waits for it; any status but 0 ends the benchmark.
void command_finish(pid_t child, const char *name);

/// Both; `context` is the command.
void command_run(void *context);
