#pragma once
#include <security/pam_appl.h>

static inline void la_pam_skip_delay(int status, unsigned microseconds, void *_Nullable data) {
  (void)status;
  (void)microseconds;
  (void)data;
}

/// Makes the transaction return at once after a failure, whatever delay its modules ask for. The item
/// is a function behind an object pointer, which Swift has no cast for.
static inline int la_pam_replace_delay(pam_handle_t *_Nonnull handle) {
  return pam_set_item(handle, PAM_FAIL_DELAY, (const void *)la_pam_skip_delay);
}
