#pragma once
#include "options.h"
#include <security/pam_modules.h>
#include <sys/types.h>

// Has the daemon evaluate `policy` for the user and converses through the application: the PAM status.
// What was typed is kept in the handle for the session if it was what proved the success.
int evaluation_run(pam_handle_t *pam, const struct options *options, const char *policy, uid_t user, int flags);

// Keeps a passcode in the handle until it ends; it is wiped then.
void passcode_keep(pam_handle_t *pam, const char *passcode);

// The passcode that was kept; NULL where none was.
const char *passcode_kept(pam_handle_t *pam);

// Wipes the passcode that was kept.
void passcode_forget(pam_handle_t *pam);
