#pragma once
#include <security/pam_modules.h>
#include <stdbool.h>

// Whether this is our own service or one of our workers, who must not ask themselves.
bool place_is_our_own(pam_handle_t *pam);

// Whether whoever is to be authenticated sits elsewhere: no finger of theirs is on this machine's sensor.
bool place_is_remote(pam_handle_t *pam);
