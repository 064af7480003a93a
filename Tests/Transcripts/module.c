// A PAM module with a password of its own: with `code` it asks for a code as well, and it answers in PAM's numbers.
#include <stdlib.h>
#include <string.h>

// Of <security/pam_modules.h>, so that the headers need not be there.
typedef struct pam_handle pam_handle_t;
struct pam_message { int style; const char *text; };
struct pam_response { char *text; int code; };
struct pam_conv {
  int (*ask)(int, const struct pam_message **, struct pam_response **, void *);
  void *data;
};
int pam_get_item(const pam_handle_t *, int, const void **);
int pam_sm_authenticate(pam_handle_t *, int, int, const char **);
int pam_sm_setcred(pam_handle_t *, int, int, const char **);
int pam_sm_acct_mgmt(pam_handle_t *, int, int, const char **);
enum { SUCCESS = 0, AUTH_ERR = 7, CONV = 5, HIDDEN = 1, SHOWN = 2, INFO = 4 };

static int answered(pam_handle_t *handle, int style, const char *text, const char *wanted) {
  const struct pam_conv *talk;
  struct pam_message message = {style, text};
  const struct pam_message *messages = &message;
  struct pam_response *answer = NULL;
  if (pam_get_item(handle, CONV, (const void **)&talk) != SUCCESS) return 0;
  if (talk->ask(1, &messages, &answer, talk->data) != SUCCESS || answer == NULL) return 0;
  return answer->text != NULL && strcmp(answer->text, wanted) == 0;
}

int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **words) {
  (void)flags;
  if (!answered(handle, HIDDEN, "Password: ", "1234")) return AUTH_ERR;
  if (count == 0 || strcmp(words[0], "code") != 0) return SUCCESS;
  answered(handle, INFO, "The code is on its way.", "");
  return answered(handle, SHOWN, "Code: ", "0000") ? SUCCESS : AUTH_ERR;
}

int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **words) {
  (void)handle, (void)flags, (void)count, (void)words;
  return SUCCESS;
}

int pam_sm_acct_mgmt(pam_handle_t *handle, int flags, int count, const char **words) {
  (void)handle, (void)flags, (void)count, (void)words;
  return SUCCESS;
}
