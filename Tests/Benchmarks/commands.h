// Whole processes.
#pragma once
#include <sys/types.h>

/// Starts a command, or ends the benchmark; what it prints goes to `output`, or nowhere if that is -1.
pid_t command_start(char **command, int output);

/// Waits for it; any status but 0 ends the benchmark.
void command_finish(pid_t child, const char *name);

/// Both; `context` is the command.
void command_run(void *context);

/// Where the second of two commands begins: after the word `--`, which becomes the end of the first, that of `first`.
int second_command(int count, char **arguments, int first);
