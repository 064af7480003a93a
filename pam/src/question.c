#define _GNU_SOURCE
#include "question.h"
#include "place.h"
#include "polkit.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <security/pam_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// polkit's helper shows a question by a line of output, and reads the answer, a line, from its standard input.
// While that does not block, its conversation comes back as soon as the question is shown, and says that there
// was no answer. Then this process has nothing to do but to wait, here as well as there.

bool question_can_wait(pam_handle_t *pam) {
  struct stat input;
  return polkit_is_asking(pam) && place_is_program("polkit-agent-helper-1") &&
         fstat(STDIN_FILENO, &input) == 0 && (S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode));
}

// One message through the application. Unlike pam_prompt this says nothing in the log when there is no answer.
static int converse(pam_handle_t *pam, int style, const char *text, char **answer) {
  const void *item = NULL;
  if (pam_get_item(pam, PAM_CONV, &item) != PAM_SUCCESS || item == NULL) return PAM_SYSTEM_ERR;
  const struct pam_conv *application = item;
  if (application->conv == NULL) return PAM_SYSTEM_ERR;
  const struct pam_message message = {.msg_style = style, .msg = text}, *messages = &message;
  struct pam_response *response = NULL;
  int status = application->conv(1, &messages, &response, application->appdata_ptr);
  *answer = status == PAM_SUCCESS && response != NULL ? response->resp : NULL;
  free(response);
  return status;
}

// Shows the question; PAM_CONV_ERR where it was not answered at once, which is what is to be expected.
static int show(pam_handle_t *pam, int style, const char *text, char **answer) {
  int flags = fcntl(STDIN_FILENO, F_GETFL);
  if (flags < 0 || fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK) != 0) return PAM_SYSTEM_ERR;
  int status = converse(pam, style, text, answer);
  return fcntl(STDIN_FILENO, F_SETFL, flags) == 0 ? status : PAM_SYSTEM_ERR;
}

// Reads a line that has begun to come. What is behind it stays for the next question.
static int read_line(char *line, size_t room) {
  for (size_t length = 0; length < room; length++) {
    ssize_t count;
    while ((count = read(STDIN_FILENO, line + length, 1)) < 0 && errno == EINTR) continue;
    if (count != 1) return PAM_CONV_ERR;
    if (line[length] != '\n') continue;
    line[length] = '\0';
    return PAM_SUCCESS;
  }
  return PAM_CONV_ERR;
}

// Waits for the answer, or for news. Where both are there the news counts: it may be that nothing is asked any more.
static int wait(int news, char **answer) {
  struct pollfd ready[] = {{.fd = news, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
  while (poll(ready, 2, -1) < 0)
    if (errno != EINTR) return PAM_CONV_ERR;
  if (ready[0].revents != 0) return PAM_SUCCESS;
  char line[PAM_MAX_RESP_SIZE];
  int status = read_line(line, sizeof line);
  if (status == PAM_SUCCESS && (*answer = strdup(line)) == NULL) status = PAM_BUF_ERR;
  explicit_bzero(line, sizeof line);
  return status;
}

int question_ask(struct question *question, pam_handle_t *pam, int style, const char *text, int news, char **answer) {
  *answer = NULL;
  if (!question_can_wait(pam)) return pam_prompt(pam, style, answer, "%s", text);
  int status = PAM_CONV_ERR;
  if (!question->is_open || question->style != style || strcmp(question->text, text) != 0) {
    question->style = style;
    snprintf(question->text, sizeof question->text, "%s", text);
    status = show(pam, style, text, answer);
  }
  if (status == PAM_CONV_ERR) status = wait(news, answer);
  question->is_open = status == PAM_SUCCESS && *answer == NULL;
  return status;
}
