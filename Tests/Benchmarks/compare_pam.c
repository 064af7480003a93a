// An evaluation of the passcode through PAM, and libpam itself with one durable commit.
#define _GNU_SOURCE
#include <pwd.h>
#include <security/pam_appl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare.h"
#include "harness.h"
#include "ledger.h"
#include "wire.h"

struct evaluation {
  struct wire prompts, answers;
  char request[512];
  const char *password;
};

/// Answers the question in `frame` over the second connection, if it asks one.
static void answer(struct evaluation *evaluation, const char *frame) {
  char nonce[64], question[256], response[512];
  if (!wire_text(frame, "passcodePrompt", question, sizeof question) ||
      !wire_text(frame, "nonce", nonce, sizeof nonce))
    return;
  snprintf(response, sizeof response,
           "{\"method\":\"io.localauth.Authentication.Respond\",\"parameters\":{"
           "\"nonce\":\"%s\",\"passcode\":\"%s\"}}",
           nonce, evaluation->password);
  wire_call(&evaluation->answers, response, "{\"parameters\":{}}");
}

static void evaluate(void *context) {
  struct evaluation *evaluation = context;
  wire_send(&evaluation->prompts, evaluation->request);
  const char *reply;
  while (wire_continues(reply = wire_receive(&evaluation->prompts))) answer(evaluation, reply);
  if (!strstr(reply, "\"outcome\":\"success\"")) fail("the evaluation failed: %s", reply);
}

struct transaction {
  const char *service, *directory, *user, *password;
  struct ledger *ledger;
};

static int converse(int count, const struct pam_message **messages, struct pam_response **responses,
                    void *context) {
  struct transaction *transaction = context;
  *responses = calloc((size_t)count, sizeof **responses);
  for (int i = 0; i < count; i++)
    if (messages[i]->msg_style == PAM_PROMPT_ECHO_OFF)
      (*responses)[i].resp = strdup(transaction->password);
  return PAM_SUCCESS;
}

static pam_handle_t *start(struct transaction *transaction) {
  struct pam_conv conversation = {converse, transaction};
  pam_handle_t *handle;
  if (pam_start_confdir(transaction->service, transaction->user, &conversation,
                        transaction->directory, &handle) != PAM_SUCCESS)
    fail("pam_start_confdir failed for %s", transaction->service);
  return handle;
}

static void authenticate(void *context) {
  struct transaction *transaction = context;
  ledger_charge(transaction->ledger);
  pam_handle_t *handle = start(transaction);
  int code = pam_authenticate(handle, PAM_DISALLOW_NULL_AUTHTOK);
  if (code == PAM_SUCCESS) code = pam_acct_mgmt(handle, PAM_DISALLOW_NULL_AUTHTOK);
  if (code != PAM_SUCCESS) fail("libpam: %s", pam_strerror(handle, code));
  pam_end(handle, code);
}

int compare_pam(int count, char **arguments) {
  (void)count;
  static struct evaluation evaluation;
  struct passwd *account = getpwuid(getuid());
  const char *password = getenv("BENCH_PASSWORD");
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.sqlite", arguments[6], arguments[4]);
  struct transaction transaction = {.service = arguments[4],
                                    .directory = arguments[5],
                                    .user = account ? account->pw_name : "nobody",
                                    .password = password ? password : "",
                                    .ledger = ledger_open(path)};
  wire_open(&evaluation.prompts, arguments[2]);
  wire_open(&evaluation.answers, arguments[2]);
  evaluation.password = transaction.password;
  snprintf(evaluation.request, sizeof evaluation.request,
           "{\"method\":\"io.localauth.Authentication.Evaluate\",\"parameters\":{"
           "\"policy\":\"passcode\",\"reason\":\"measure\",\"device\":\"%s\","
           "\"allowSimulated\":true},\"more\":true}",
           arguments[3]);
  pam_handle_t *held = strcmp(arguments[7], "held") == 0 ? start(&transaction) : NULL;
  struct rounds rounds = interleave(atoi(arguments[8]), atoi(arguments[9]), evaluate, &evaluation,
                                    authenticate, &transaction);
  if (held) pam_end(held, PAM_SUCCESS);
  report(arguments[0], "us", atof(arguments[1]), &rounds);
  return 0;
}
