#define _GNU_SOURCE
#include "address.h"
#include "evaluation.h"
#include "options.h"
#include "place.h"
#include "service.h"
#include <pwd.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

// The module asks the system's service and nobody else: it reads no variable of the environment, starts
// nothing, and never takes silence for a yes.

#define EXPORTED __attribute__((visibility("default")))

// How long the daemon may take to unlock, lock or rewrap, in milliseconds.
#define PATIENCE_MS 10000

// The key of the handle's note that its session has opened the keychain.
#define OPENED "pam_localauth_opened"

// The user that the handle is about: PAM_SUCCESS, or what says why there is none that we may speak for.
static int find_user(pam_handle_t *pam, uid_t *user) {
  const char *name = NULL;
  char buffer[16384];
  struct passwd account, *found = NULL;
  if (pam_get_user(pam, &name, NULL) != PAM_SUCCESS || name == NULL) return PAM_USER_UNKNOWN;
  // An error is no answer: the next module must not be asked because a name service is down.
  if (getpwnam_r(name, &account, buffer, sizeof buffer, &found) != 0) {
    pam_syslog(pam, LOG_ERR, "the user's account cannot be looked up");
    return PAM_SYSTEM_ERR;
  }
  if (found == NULL) {
    pam_syslog(pam, LOG_NOTICE, "there is no such user");
    return PAM_USER_UNKNOWN;
  }
  // A program that is not root proves things about itself alone: its own passcode says nothing of others.
  if (geteuid() != 0 && geteuid() != account.pw_uid) {
    pam_syslog(pam, LOG_NOTICE, "only root may ask for another user than its own");
    return PAM_CRED_INSUFFICIENT;
  }
  *user = account.pw_uid;
  return PAM_SUCCESS;
}

EXPORTED int pam_sm_authenticate(pam_handle_t *pam, int flags, int argc, const char **argv) {
  struct options options;
  uid_t user;
  if (!options_read(&options, pam, argc, argv)) return PAM_SERVICE_ERR;
  if (place_is_our_own(pam)) return PAM_IGNORE;
  int found = find_user(pam, &user);
  if (options.only_stash) {
    const void *password = NULL;
    if (found == PAM_SUCCESS && pam_get_item(pam, PAM_AUTHTOK, &password) == PAM_SUCCESS && password != NULL)
      passcode_keep(pam, password);
    return PAM_IGNORE;
  }
  if (found != PAM_SUCCESS) return found;
  bool is_elsewhere = !options.allow_remote && place_is_remote(pam);
  return evaluation_run(pam, &options, is_elsewhere ? options.remote_policy : options.policy, user, flags);
}

EXPORTED int pam_sm_setcred(pam_handle_t *pam, int flags, int argc, const char **argv) {
  (void)pam, (void)flags, (void)argc, (void)argv;
  // There are no credentials to set; where no other module has any, to ignore that would be a refusal.
  return PAM_SUCCESS;
}

EXPORTED int pam_sm_acct_mgmt(pam_handle_t *pam, int flags, int argc, const char **argv) {
  (void)pam, (void)flags, (void)argc, (void)argv;
  // Whether an account is still good is for others to say.
  return PAM_IGNORE;
}

static bool is_done(const struct json_token *reply) { return json_member(reply, "error") == NULL; }

static bool says_unlocked(const struct json_token *reply) {
  const struct json_token *device = json_member(json_member(reply, "parameters"), "device");
  return json_is(json_member(device, "lockState"), "unlocked");
}

// Calls a method about the user's device and has `judge` look at the reply; `first` and `second` are members
// with secrets, or NULL.
static bool call(pam_handle_t *pam, const struct options *options, const char *method,
                 bool (*judge)(const struct json_token *), const char *first, const char *first_value,
                 const char *second, const char *second_value) {
  uid_t user;
  char bytes[8192];
  struct json_text text = {.bytes = bytes, .room = sizeof bytes};
  if (find_user(pam, &user) != PAM_SUCCESS) return false;
  json_append(&text, "{");
  address_append(pam, options, &text, user);
  json_append(&text, "\"device\":");
  json_append_string(&text, options->device != NULL ? options->device : "default");
  const char *members[][2] = {{first, first_value}, {second, second_value}};
  for (int i = 0; i < 2; i++) {
    if (members[i][0] == NULL || members[i][1] == NULL) continue;
    json_append(&text, ",");
    json_append_string(&text, members[i][0]);
    json_append(&text, ":");
    json_append_string(&text, members[i][1]);
  }
  json_append(&text, "}");
  struct service service;
  const struct json_token *reply;
  bool is_good = service_connect(&service, PATIENCE_MS) == SERVICE_OK &&
                 service_call(&service, method, &text, false, PATIENCE_MS) == SERVICE_OK &&
                 service_reply(&service, &reply, PATIENCE_MS) == SERVICE_OK && judge(reply);
  service_close(&service);
  explicit_bzero(bytes, sizeof bytes);
  return is_good;
}

// A session is opened whatever becomes of the keychain: who logs in without it can unlock it later.
EXPORTED int pam_sm_open_session(pam_handle_t *pam, int flags, int argc, const char **argv) {
  struct options options;
  (void)flags;
  if (!options_read(&options, pam, argc, argv)) return PAM_SERVICE_ERR;
  const char *passcode = passcode_kept(pam);
  if (place_is_our_own(pam) || passcode == NULL) return PAM_IGNORE;
  // What was open before is another session's, which will lock it.
  bool was_open = call(pam, &options, "io.localauth.Devices.Status", says_unlocked, NULL, NULL, NULL, NULL);
  bool is_open = call(pam, &options, "io.localauth.Devices.Unlock", is_done, "passcode", passcode, NULL, NULL);
  passcode_forget(pam);
  if (is_open && !was_open) pam_set_data(pam, OPENED, OPENED, NULL);
  if (!is_open) pam_syslog(pam, LOG_NOTICE, "the keychain stays locked: its passcode is another one");
  return is_open ? PAM_SUCCESS : PAM_IGNORE;
}

EXPORTED int pam_sm_close_session(pam_handle_t *pam, int flags, int argc, const char **argv) {
  struct options options;
  const void *opened = NULL;
  (void)flags;
  if (!options_read(&options, pam, argc, argv)) return PAM_SERVICE_ERR;
  if (place_is_our_own(pam)) return PAM_IGNORE;
  // A session locks what it has opened; a job of cron's ends while its user works on.
  if (pam_get_data(pam, OPENED, &opened) != PAM_SUCCESS) return PAM_SUCCESS;
  pam_set_data(pam, OPENED, NULL, NULL);
  return call(pam, &options, "io.localauth.Devices.Lock", is_done, NULL, NULL, NULL, NULL) ? PAM_SUCCESS
                                                                                          : PAM_IGNORE;
}

EXPORTED int pam_sm_chauthtok(pam_handle_t *pam, int flags, int argc, const char **argv) {
  struct options options;
  const void *old = NULL, *new = NULL;
  if (!options_read(&options, pam, argc, argv)) return PAM_SERVICE_ERR;
  if (place_is_our_own(pam) || (flags & PAM_UPDATE_AUTHTOK) == 0) return PAM_IGNORE;
  if (pam_get_item(pam, PAM_AUTHTOK, &new) != PAM_SUCCESS || new == NULL) return PAM_IGNORE;
  if (pam_get_item(pam, PAM_OLDAUTHTOK, &old) != PAM_SUCCESS) old = NULL;
  // The password was changed by another module already, and stays so.
  if (call(pam, &options, "io.localauth.Devices.SetPasscode", is_done, "new", new, "passcode", old)) return PAM_SUCCESS;
  pam_syslog(pam, LOG_NOTICE, "the keychain was not opened for the new password: authctl passcode change mends it");
  return PAM_IGNORE;
}
