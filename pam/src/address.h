#pragma once
#include "json.h"
#include "options.h"
#include <security/pam_modules.h>
#include <sys/types.h>

// Appends the members that say whose devices are meant and where the request comes from, and a comma.
//
// The service compares the user with who the kernel says we are; where a request comes from, it takes from root.
void address_append(pam_handle_t *pam, const struct options *options, struct json_text *text, uid_t user);
