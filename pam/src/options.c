#define _GNU_SOURCE
#include "options.h"
#include <security/pam_ext.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

// The value behind `name=`; NULL where the argument is another one.
static const char *value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

static bool read_timeout(struct options *options, const char *text) {
  char *end;
  long seconds = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || seconds < 1 || seconds > 600) return false;
  options->timeout_s = (int)seconds;
  return true;
}

static bool read_one(struct options *options, const char *argument) {
  const struct {
    const char *name;
    const char **place;
  } texts[] = {{"policy", &options->policy},
               {"remote_policy", &options->remote_policy},
               {"device", &options->device},
               {"reason", &options->reason}};
  const struct {
    const char *name;
    bool *place;
  } flags[] = {{"allow_simulated", &options->allow_simulated},
               {"allow_remote", &options->allow_remote},
               {"only_stash", &options->only_stash}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (strcmp(argument, flags[i].name) == 0) return *flags[i].place = true;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *value = value_of(argument, texts[i].name);
    if (value != NULL && *value != '\0') return *texts[i].place = value, true;
  }
  const char *timeout = value_of(argument, "timeout");
  return timeout != NULL && read_timeout(options, timeout);
}

bool options_read(struct options *options, pam_handle_t *pam, int argc, const char **argv) {
  *options = (struct options){.policy = "device-owner", .remote_policy = "passcode", .timeout_s = 30};
  for (int i = 0; i < argc; i++) {
    if (read_one(options, argv[i])) continue;
    pam_syslog(pam, LOG_ERR, "the argument '%s' is none of this module's, or its value is none", argv[i]);
    return false;
  }
  return true;
}
