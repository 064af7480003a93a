#pragma once
#include <security/pam_modules.h>
#include <stdbool.h>

// What the arguments of the module say.
struct options {
  const char *policy;
  const char *remote_policy;
  const char *device;
  const char *reason;
  int timeout_s;
  bool allow_simulated;
  bool allow_remote;
  bool only_stash;
};

// Reads the arguments; false after saying in the log which one is none.
bool options_read(struct options *options, pam_handle_t *pam, int argc, const char **argv);
