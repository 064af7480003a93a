#define _GNU_SOURCE
#include "evaluation.h"
#include "address.h"
#include "question.h"
#include "service.h"
#include <security/pam_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

// How long the daemon may take where nobody is asked: to be reached, and to say its first word. It says it within
// milliseconds, and within seconds while others keep it busy.
#define PATIENCE_MS 10000

// The key of what is kept in the handle.
#define KEPT "pam_localauth_passcode"

struct evaluation {
  pam_handle_t *pam;
  const struct options *options;
  uid_t user;
  bool is_silent;
  struct service service;
  // The question that is open: what an answer must carry, and how to ask. No nonce, no question.
  char nonce[64];
  char question[256];
  int style;
  bool takes_finger;
  // What of it the person sees.
  struct question shown;
  // What the last answer was, until the daemon said what it was worth.
  char *answer;
  // The last one that was wrong.
  char *wrong;
  // Whether an answer was sent, which may be judged whatever becomes of the daemon.
  bool is_answered;
  // Whether it was what proved the success.
  bool is_proven;
};

// How long a finger that was said to be on the sensor has, before the question is asked again.
#define TOUCH_MS 1500

// How long all of a message takes whose beginning ended the wait for an answer.
#define NEWS_MS 50

static void forget(char *text) {
  if (text == NULL) return;
  explicit_bzero(text, strlen(text));
  free(text);
}

static void forget_kept(pam_handle_t *pam, void *passcode, int status) {
  (void)pam;
  (void)status;
  forget(passcode);
}

void passcode_keep(pam_handle_t *pam, const char *passcode) {
  char *copy = strdup(passcode);
  if (copy != NULL && pam_set_data(pam, KEPT, copy, forget_kept) != PAM_SUCCESS) forget(copy);
}

const char *passcode_kept(pam_handle_t *pam) {
  const void *passcode = NULL;
  return pam_get_data(pam, KEPT, &passcode) == PAM_SUCCESS ? passcode : NULL;
}

void passcode_forget(pam_handle_t *pam) { pam_set_data(pam, KEPT, NULL, NULL); }

// Shows a word of the service. A miss is shown also where the application wants silence, as sudo does: without
// it the next question looks like the first one.
static void show(const struct evaluation *evaluation, const struct json_token *notice) {
  char line[512];
  bool is_miss = json_is(json_member(notice, "kind"), "miss");
  if (evaluation->is_silent && !is_miss) return;
  if (!json_copy(json_member(notice, "text"), line, sizeof line) || line[0] == '\0') return;
  pam_prompt(evaluation->pam, is_miss ? PAM_ERROR_MSG : PAM_TEXT_INFO, NULL, "%s", line);
}

// Says to the administrator why the service evaluates nothing, as for a policy that it does not have. Only what says that it
// can never judge this lets another module ask: whoever fills the service must not gain that it is left out.
static int refused(const struct evaluation *evaluation, const struct json_token *reply) {
  static const char *const unable[] = {
      "io.localauth.Authentication.PolicyNotFound", "io.localauth.Authentication.PolicyUnusable",
      "io.localauth.Authentication.DeviceNotFound", "io.localauth.Authentication.NotPermitted",
      "org.varlink.service.MethodNotFound",         "org.varlink.service.InvalidParameter",
  };
  char name[128], what[256];
  const struct json_token *parameters = json_member(reply, "parameters");
  if (!json_copy(json_member(reply, "error"), name, sizeof name)) snprintf(name, sizeof name, "an unknown error");
  const char *members[] = {"message", "policy", "device"};
  what[0] = '\0';
  for (size_t i = 0; i < sizeof members / sizeof *members && what[0] == '\0'; i++)
    if (!json_copy(json_member(parameters, members[i]), what, sizeof what)) what[0] = '\0';
  const char *word = strrchr(name, '.');
  pam_syslog(evaluation->pam, LOG_ERR, "the service refuses the request: %s: %s",
             word == NULL ? name : word + 1, what);
  for (size_t i = 0; i < sizeof unable / sizeof *unable; i++)
    if (strcmp(name, unable[i]) == 0) return PAM_AUTHINFO_UNAVAIL;
  return PAM_AUTH_ERR;
}

// What becomes of a request that the service took and did not answer, or could not take. Whoever makes it slow must not
// gain that the next module takes guesses: only where there is no service may that one be asked.
static int lost(const struct evaluation *evaluation, enum service_status how) {
  if (how == SERVICE_UNAVAILABLE) return PAM_AUTHINFO_UNAVAIL;
  if (how == SERVICE_CANCELLED) return PAM_CONV_ERR;
  pam_syslog(evaluation->pam, LOG_ERR, "the service of all users %s",
             how == SERVICE_TIMEOUT ? "does not answer" : "ended, or gave no answer that can be read");
  pam_error(evaluation->pam, "The authentication service does not answer. Try again.");
  return PAM_AUTH_ERR;
}

// What an answer that the service does not take ends with: its question stays open there, so that nothing else would be
// heard until the time is over. One to a question that is gone is none, and the evaluation says what became of it.
static int judge_reply(const struct evaluation *evaluation, const struct json_token *reply) {
  const struct json_token *error = json_member(reply, "error");
  char why[256];
  if (error == NULL || json_is(error, "io.localauth.Authentication.PromptNotFound")) return PAM_SUCCESS;
  if (!json_copy(json_member(json_member(reply, "parameters"), "message"), why, sizeof why) || why[0] == '\0')
    snprintf(why, sizeof why, "The authentication service does not take the answer. Try again.");
  refused(evaluation, reply);
  pam_error(evaluation->pam, "%s", why);
  return PAM_AUTH_ERR;
}

// Sends an answer to a prompt over a connection of its own, as the protocol wants it: whether the evaluation goes on.
static int respond(const struct evaluation *evaluation, const char *member, const char *value) {
  char *bytes = malloc(SERVICE_MESSAGE_MAX);
  if (bytes == NULL) return PAM_AUTH_ERR;
  struct json_text text = {.bytes = bytes, .room = SERVICE_MESSAGE_MAX};
  json_append(&text, "{");
  address_append(evaluation->pam, evaluation->options, &text, evaluation->user);
  json_append(&text, "\"nonce\":");
  json_append_string(&text, evaluation->nonce);
  json_append(&text, ",");
  json_append_string(&text, member);
  json_append(&text, ":");
  json_append_string(&text, value);
  json_append(&text, "}");
  struct service service;
  enum service_status status = service_connect(&service, PATIENCE_MS);
  if (status == SERVICE_OK)
    status = service_call(&service, "io.localauth.Authentication.Respond", &text, false, PATIENCE_MS);
  const struct json_token *reply;
  if (status == SERVICE_OK) status = service_reply(&service, &reply, PATIENCE_MS);
  int taken = status == SERVICE_OK ? judge_reply(evaluation, reply) : PAM_AUTH_ERR;
  service_close(&service);
  explicit_bzero(bytes, SERVICE_MESSAGE_MAX);
  free(bytes);
  return taken;
}

// Remembers what the service calls wrong; a miss while a question is open is a finger's.
static void take_notice(struct evaluation *evaluation, const struct json_token *notice) {
  show(evaluation, notice);
  if (!json_is(json_member(notice, "kind"), "miss") || evaluation->nonce[0] != '\0' || evaluation->answer == NULL)
    return;
  forget(evaluation->wrong);
  evaluation->wrong = evaluation->answer;
  evaluation->answer = NULL;
}

// Asks the open question through the application, which may take as long as it likes.
static int ask(struct evaluation *evaluation) {
  char text[sizeof evaluation->shown.text];
  bool can_wait = question_can_wait(evaluation->pam);
  // What the service has said already may be that nothing is asked any more.
  if (can_wait && service_has_reply(&evaluation->service)) return PAM_SUCCESS;
  const char *touch = can_wait ? "Touch the sensor, or: " : "Touch the sensor and press Enter, or: ";
  snprintf(text, sizeof text, "%s%s", evaluation->takes_finger ? touch : "", evaluation->question);
  forget(evaluation->answer);
  int status = question_ask(&evaluation->shown, evaluation->pam, evaluation->style, text,
                            evaluation->service.socket, &evaluation->answer);
  if (evaluation->shown.is_open) return PAM_SUCCESS;
  if (status != PAM_SUCCESS || evaluation->answer == NULL) {
    respond(evaluation, "action", "cancel");
    return PAM_CONV_ERR;
  }
  // A screen locker gives what was typed once to each question: nobody types it again, and it would count again.
  if (evaluation->wrong != NULL && strcmp(evaluation->wrong, evaluation->answer) == 0) {
    respond(evaluation, "action", "cancel");
    return PAM_AUTH_ERR;
  }
  // With a finger on the sensor nothing was to be typed, and the question stays open.
  if (evaluation->takes_finger && evaluation->answer[0] == '\0') return PAM_SUCCESS;
  evaluation->is_answered = true;
  int taken = respond(evaluation, "passcode", evaluation->answer);
  evaluation->nonce[0] = '\0';
  return taken;
}

static int take_prompt(struct evaluation *evaluation, const struct json_token *prompt) {
  evaluation->nonce[0] = '\0';
  evaluation->takes_finger = json_is_true(json_member(prompt, "biometry"));
  evaluation->style =
      json_is_true(json_member(prompt, "passcodeEchoes")) ? PAM_PROMPT_ECHO_ON : PAM_PROMPT_ECHO_OFF;
  if (json_copy(json_member(prompt, "passcodePrompt"), evaluation->question, sizeof evaluation->question))
    return json_copy(json_member(prompt, "nonce"), evaluation->nonce, sizeof evaluation->nonce)
               ? ask(evaluation)
               : lost(evaluation, SERVICE_LOST);
  if (evaluation->takes_finger && !evaluation->is_silent)
    pam_prompt(evaluation->pam, PAM_TEXT_INFO, NULL, "Touch the fingerprint sensor.");
  return PAM_SUCCESS;
}

// Says why nobody is asked, and when to try again, to whoever would take the refusal for a wrong passcode: also
// where the application wants silence, as sudo does, and still asks its questions.
static void show_refusal(const struct evaluation *evaluation, const struct json_token *result) {
  char message[256];
  if (!json_copy(json_member(result, "message"), message, sizeof message)) return;
  long seconds = json_seconds(json_member(result, "retryAfterSeconds"));
  const char *unit = seconds > 7200 ? "h" : seconds > 120 ? "min" : "s";
  long size = seconds > 7200 ? 3600 : seconds > 120 ? 60 : 1;
  if (seconds > 0)
    pam_error(evaluation->pam, "%s Try again in %ld %s.", message, (seconds + size - 1) / size, unit);
  else
    pam_error(evaluation->pam, "%s", message);
}

// What an ending means to the stack. Only where nothing can be judged may another module be asked in our
// place; every other ending is a refusal, or whoever is refused would go on guessing there.
static int status_of(struct evaluation *evaluation, const struct json_token *result) {
  static const struct {
    const char *outcome;
    int status;
    bool is_told;
  } table[] = {
      {"success", PAM_SUCCESS, false},
      {"passcodeThrottled", PAM_MAXTRIES, true},
      {"internalError", PAM_SYSTEM_ERR, true},
      {"busy", PAM_AUTH_ERR, true},
      {"systemCancel", PAM_AUTH_ERR, true},
      // Whoever is elsewhere, holds the reader or unplugs it must not gain that the next module is asked.
      {"biometryNotAvailable", PAM_AUTH_ERR, true},
      {"biometryDisconnected", PAM_AUTH_ERR, true},
      {"sensorError", PAM_AUTH_ERR, true},
      {"passcodeNotSet", PAM_AUTHINFO_UNAVAIL, false},
      {"biometryNotEnrolled", PAM_AUTHINFO_UNAVAIL, false},
      {"badConfiguration", PAM_AUTHINFO_UNAVAIL, false},
  };
  const struct json_token *outcome = json_member(result, "outcome");
  if (json_is_true(json_member(result, "simulated")) && !evaluation->options->allow_simulated) {
    pam_syslog(evaluation->pam, LOG_ERR, "a simulated device is none to log in with: nothing was proven");
    return PAM_AUTHINFO_UNAVAIL;
  }
  int status = PAM_AUTH_ERR;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (!json_is(outcome, table[i].outcome)) continue;
    status = table[i].status;
    if (table[i].is_told) show_refusal(evaluation, result);
  }
  if (status == PAM_AUTHINFO_UNAVAIL || status == PAM_SYSTEM_ERR) {
    char message[256];
    json_copy(json_member(result, "message"), message, sizeof message);
    pam_syslog(evaluation->pam, LOG_NOTICE, "nothing can be proven now: %s", message);
  }
  return status;
}

// Whether what was typed is among what proved a success: words, joined by a plus sign.
static bool was_typed(const struct json_token *result) {
  char method[128], *rest = method;
  if (!json_copy(json_member(result, "method"), method, sizeof method)) return false;
  for (const char *word = strsep(&rest, "+"); word != NULL; word = strsep(&rest, "+"))
    if (strcmp(word, "passcode") == 0 || strcmp(word, "pam") == 0) return true;
  return false;
}

// Goes through the replies until the last one.
static int converse(struct evaluation *evaluation) {
  int patience = PATIENCE_MS;
  for (;;) {
    const struct json_token *reply;
    bool is_asked = evaluation->nonce[0] != '\0';
    int asked_ms = evaluation->shown.is_open ? NEWS_MS : TOUCH_MS;
    enum service_status heard = service_reply(&evaluation->service, &reply, is_asked ? asked_ms : patience);
    if (heard == SERVICE_TIMEOUT && is_asked) {
      int status = ask(evaluation);
      if (status != PAM_SUCCESS) return status;
      continue;
    }
    if (heard != SERVICE_OK) return lost(evaluation, heard);
    if (json_member(reply, "error") != NULL) return refused(evaluation, reply);
    const struct json_token *said = json_member(reply, "parameters");
    const struct json_token *prompt = json_member(said, "prompt"), *result = json_member(said, "result");
    if (result != NULL) {
      evaluation->is_proven = was_typed(result);
      return status_of(evaluation, result);
    }
    if (!json_is_true(json_member(reply, "continues"))) return lost(evaluation, SERVICE_LOST);
    // From here on a person takes time, for which the daemon has a limit of its own.
    patience = evaluation->options->timeout_s * 1000 + PATIENCE_MS;
    take_notice(evaluation, json_member(said, "notice"));
    if (prompt == NULL) continue;
    int status = take_prompt(evaluation, prompt);
    if (status != PAM_SUCCESS) return status;
  }
}

static int begin(struct evaluation *evaluation, const char *policy) {
  char bytes[2048], number[64];
  struct json_text text = {.bytes = bytes, .room = sizeof bytes};
  const void *service = NULL;
  pam_get_item(evaluation->pam, PAM_SERVICE, &service);
  char reason[256];
  snprintf(reason, sizeof reason, "log in through %.200s", service == NULL ? "PAM" : (const char *)service);
  json_append(&text, "{");
  address_append(evaluation->pam, evaluation->options, &text, evaluation->user);
  if (evaluation->options->device != NULL) {
    json_append(&text, "\"device\":");
    json_append_string(&text, evaluation->options->device);
    json_append(&text, ",");
  }
  json_append(&text, "\"policy\":");
  json_append_string(&text, policy);
  json_append(&text, ",\"reason\":");
  json_append_string(&text, evaluation->options->reason != NULL ? evaluation->options->reason : reason);
  snprintf(number, sizeof number, ",\"timeoutMilliseconds\":%d", evaluation->options->timeout_s * 1000);
  json_append(&text, number);
  if (evaluation->options->allow_simulated) json_append(&text, ",\"allowSimulated\":true");
  json_append(&text, "}");
  enum service_status status = service_connect(&evaluation->service, PATIENCE_MS);
  if (status != SERVICE_OK) return lost(evaluation, status);
  // A dialog that is closed while a finger alone is asked for says so by nothing but its end.
  if (question_can_wait(evaluation->pam)) evaluation->service.person = STDIN_FILENO;
  status = service_call(&evaluation->service, "io.localauth.Authentication.Evaluate", &text, true, PATIENCE_MS);
  return status == SERVICE_OK ? PAM_SUCCESS : lost(evaluation, status);
}

int evaluation_run(pam_handle_t *pam, const struct options *options, const char *policy, uid_t user, int flags) {
  struct evaluation evaluation = {
      .pam = pam, .options = options, .user = user, .is_silent = (flags & PAM_SILENT) != 0};
  int status = begin(&evaluation, policy);
  if (status == PAM_AUTHINFO_UNAVAIL) pam_syslog(pam, LOG_NOTICE, "the service of all users cannot be asked");
  if (status == PAM_SUCCESS) status = converse(&evaluation);
  service_close(&evaluation.service);
  if (status == PAM_AUTHINFO_UNAVAIL && evaluation.is_answered) status = PAM_AUTH_ERR;
  // A wrong one that a finger overtook would be tried, and charged, again when the session opens.
  if (status == PAM_SUCCESS && evaluation.is_proven && evaluation.answer != NULL)
    passcode_keep(pam, evaluation.answer);
  forget(evaluation.answer);
  forget(evaluation.wrong);
  return status;
}
