#pragma once
#include <security/pam_modules.h>
#include <stdbool.h>

// A question that the application shows to the person.
struct question {
  int style;
  char text[300];
  // Whether it is shown and was not answered.
  bool is_open;
};

// Whether the application gives us the time to wait for its answer and for something else at once.
bool question_can_wait(pam_handle_t *pam);

// Asks a question, as PAM does; the answer is the caller's to wipe and free.
//
// Where the application can wait, this comes back without an answer as soon as there is something to read from
// `news`; the question stays open, and asking it again goes on waiting. Elsewhere nothing ends it but the person.
int question_ask(struct question *question, pam_handle_t *pam, int style, const char *text, int news, char **answer);
