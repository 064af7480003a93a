#pragma once
#include <security/pam_modules.h>
#include <stdbool.h>

// What the application said; empty where it said nothing.
const char *place_item(pam_handle_t *pam, int type);

// Whether the kernel says that this process runs a program of this name.
bool place_is_program(const char *name);

// Whether this is our own service or one of our workers, who must not ask themselves.
bool place_is_our_own(pam_handle_t *pam);

// Whether whoever is to be authenticated sits elsewhere, or nobody can say where: no finger of theirs is on
// this machine's sensor. What the application says can only make it so.
bool place_is_remote(pam_handle_t *pam);
