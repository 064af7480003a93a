#pragma once
#include <security/pam_modules.h>
#include <stdbool.h>
#include <sys/types.h>

// Who asks polkit(8) for an authorization, by the word of the kernel: the process that runs the dialog.
//
// A dialog starts polkit's setuid helper, which has its real user and its login, or connects to a socket, for
// whose connection a service manager starts the helper.

// Whether polkit's helper is the application, by the service that it names.
bool polkit_is_asking(pam_handle_t *pam);

// Whether whoever asks certainly is in the session that is in front at a seat of this machine.
bool polkit_asker_is_here(void);

// The user who asks; false where the kernel does not say.
bool polkit_find_asker(uid_t *user);
