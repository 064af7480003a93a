// A PAM module that does what its arguments say, in their order.
//
//   ask=TEXT  ask-visible=TEXT   one prompt          expect=TEXT   AUTH_ERR unless it was the answer
//   ask-two                      two prompts and two texts in one call, expects "one" and "two"
//   info=TEXT  error=TEXT        a text              big-info=N    a text of N bytes
//   expect-size=N                AUTH_ERR unless the answer had N bytes
//   ignore-errors                goes on after steps that fail
//   ask-many=N                   N prompts           say-many=N    N texts
//   ask-binary                   a style nobody reads
//   user=NAME  item-user=NAME    sets, expects PAM_USER     ruser=NAME  tty=NAME  expect these items
//   no-env=NAME                  SYSTEM_ERR if the variable exists
//   report-fd                    tells the lowest free descriptor
//   delay=N                      asks for a delay of N microseconds after failures
//   hang  crash  exit            never return        return=N      returns N
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <security/pam_appl.h>
#include <security/pam_modules.h>

struct run {
  pam_handle_t *handle;
  char answer[PAM_MAX_RESP_SIZE];
};

static int converse(struct run *run, int count, const struct pam_message *messages,
                    struct pam_response **responses) {
  const void *item = NULL;
  const struct pam_message *pointers[4];
  int code = pam_get_item(run->handle, PAM_CONV, &item);
  if (code != PAM_SUCCESS || item == NULL) return PAM_CONV_ERR;
  const struct pam_conv *conversation = item;
  for (int i = 0; i < count; i++) pointers[i] = &messages[i];
  return conversation->conv(count, pointers, responses, conversation->appdata_ptr);
}

static void drop(struct pam_response *responses, int count) {
  for (int i = 0; i < count; i++) {
    if (responses[i].resp == NULL) continue;
    explicit_bzero(responses[i].resp, strlen(responses[i].resp));
    free(responses[i].resp);
  }
  free(responses);
}

static int say(struct run *run, int style, const char *text) {
  struct pam_message message = {style, text};
  struct pam_response *responses = NULL;
  int code = converse(run, 1, &message, &responses);
  if (code != PAM_SUCCESS) return code;
  if (responses[0].resp != NULL)
    snprintf(run->answer, sizeof run->answer, "%s", responses[0].resp);
  drop(responses, 1);
  return PAM_SUCCESS;
}

static int say_many(struct run *run, int style, int count) {
  for (int i = 0; i < count; i++) {
    int code = say(run, style, "again");
    if (code != PAM_SUCCESS) return code;
  }
  return PAM_SUCCESS;
}

static int say_big(struct run *run, size_t size) {
  char *text = calloc(1, size + 1);
  if (text == NULL) return PAM_BUF_ERR;
  memset(text, 'x', size);
  int code = say(run, PAM_TEXT_INFO, text);
  free(text);
  return code;
}

static int ask_two(struct run *run) {
  struct pam_message messages[4] = {{PAM_TEXT_INFO, "first a word"},
                                    {PAM_PROMPT_ECHO_ON, "One: "},
                                    {PAM_ERROR_MSG, "then a warning"},
                                    {PAM_PROMPT_ECHO_OFF, "Two: "}};
  struct pam_response *responses = NULL;
  int code = converse(run, 4, messages, &responses);
  if (code != PAM_SUCCESS) return code;
  int fits = responses[0].resp == NULL && strcmp(responses[1].resp, "one") == 0 &&
             responses[2].resp == NULL && strcmp(responses[3].resp, "two") == 0;
  drop(responses, 4);
  return fits ? PAM_SUCCESS : PAM_AUTH_ERR;
}

static int expect_item(struct run *run, int kind, const char *expected) {
  const void *item = NULL;
  if (pam_get_item(run->handle, kind, &item) != PAM_SUCCESS) return PAM_SYSTEM_ERR;
  return item != NULL && strcmp(item, expected) == 0 ? PAM_SUCCESS : PAM_SYSTEM_ERR;
}

static int report_descriptor(struct run *run) {
  char text[32];
  int descriptor = open("/dev/null", O_RDONLY);
  close(descriptor);
  snprintf(text, sizeof text, "%d", descriptor);
  return say(run, PAM_TEXT_INFO, text);
}

_Noreturn static void hang(void) {
  // A child in the same group holds the inherited descriptors too.
  if (fork() < 0) _exit(1);
  for (;;) pause();
}

static const char *value(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

static int perform(struct run *run, const char *argument) {
  const char *text;
  if ((text = value(argument, "ask"))) return say(run, PAM_PROMPT_ECHO_OFF, text);
  if ((text = value(argument, "ask-visible"))) return say(run, PAM_PROMPT_ECHO_ON, text);
  if ((text = value(argument, "expect")))
    return strcmp(run->answer, text) == 0 ? PAM_SUCCESS : PAM_AUTH_ERR;
  if ((text = value(argument, "expect-size")))
    return strlen(run->answer) == (size_t)atoi(text) ? PAM_SUCCESS : PAM_AUTH_ERR;
  if ((text = value(argument, "info"))) return say(run, PAM_TEXT_INFO, text);
  if ((text = value(argument, "error"))) return say(run, PAM_ERROR_MSG, text);
  if ((text = value(argument, "big-info"))) return say_big(run, (size_t)atoi(text));
  if ((text = value(argument, "ask-many"))) return say_many(run, PAM_PROMPT_ECHO_OFF, atoi(text));
  if ((text = value(argument, "say-many"))) return say_many(run, PAM_TEXT_INFO, atoi(text));
  if ((text = value(argument, "user"))) return pam_set_item(run->handle, PAM_USER, text);
  if ((text = value(argument, "item-user"))) return expect_item(run, PAM_USER, text);
  if ((text = value(argument, "ruser"))) return expect_item(run, PAM_RUSER, text);
  if ((text = value(argument, "tty"))) return expect_item(run, PAM_TTY, text);
  if ((text = value(argument, "no-env"))) return getenv(text) ? PAM_SYSTEM_ERR : PAM_SUCCESS;
  if ((text = value(argument, "delay")))
    return pam_fail_delay(run->handle, (unsigned)strtoul(text, NULL, 10));
  if (strcmp(argument, "ask-two") == 0) return ask_two(run);
  if (strcmp(argument, "ask-binary") == 0) return say(run, PAM_BINARY_PROMPT, "");
  if (strcmp(argument, "report-fd") == 0) return report_descriptor(run);
  if (strcmp(argument, "hang") == 0) hang();
  if (strcmp(argument, "crash") == 0) return raise(SIGSEGV);
  if (strcmp(argument, "exit") == 0) _exit(0);
  return PAM_SERVICE_ERR;
}

static int perform_all(pam_handle_t *handle, int count, const char **arguments) {
  struct run run = {.handle = handle};
  int code = PAM_SUCCESS;
  int ignores_errors = 0;
  for (int i = 0; i < count && (code == PAM_SUCCESS || ignores_errors); i++) {
    const char *text = value(arguments[i], "return");
    if (strcmp(arguments[i], "ignore-errors") == 0) {
      ignores_errors = 1;
    } else {
      code = text ? atoi(text) : perform(&run, arguments[i]);
    }
  }
  explicit_bzero(run.answer, sizeof run.answer);
  return code;
}

int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **arguments) {
  (void)flags;
  return perform_all(handle, count, arguments);
}

int pam_sm_acct_mgmt(pam_handle_t *handle, int flags, int count, const char **arguments) {
  (void)flags;
  return perform_all(handle, count, arguments);
}

int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **arguments) {
  (void)handle, (void)flags, (void)count, (void)arguments;
  return PAM_IGNORE;
}
