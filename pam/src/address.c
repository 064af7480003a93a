#define _GNU_SOURCE
#include "address.h"
#include "place.h"
#include "polkit.h"
#include <ctype.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The longest name of a host, as the service takes it.
#define HOST_MAX 255

// Whose word it is who asks.
enum word { WORD_NONE, WORD_OF_APPLICATION, WORD_OF_KERNEL };

// The user who asks for another, or for itself: the kernel's word where that is not root's, else that of the
// application.
static enum word find_asking(pam_handle_t *pam, uid_t *user) {
  char buffer[16384];
  struct passwd account, *found = NULL;
  // What polkit says of who asks is the name of whom it asks for.
  if (polkit_is_asking(pam)) return polkit_find_asker(user) ? WORD_OF_KERNEL : WORD_NONE;
  if ((*user = getuid()) != 0) return WORD_OF_KERNEL;
  const char *name = place_item(pam, PAM_RUSER);
  if (*name == '\0' || getpwnam_r(name, &account, buffer, sizeof buffer, &found) != 0 || found == NULL)
    return WORD_NONE;
  *user = account.pw_uid;
  return WORD_OF_APPLICATION;
}

// Where somebody asks from who may be the user itself. Only the kernel's word makes it the user's own where it is
// elsewhere: many services name as who asks whoever wants to log in.
static void write_own(char *text, size_t room, bool is_elsewhere, enum word word, uid_t user) {
  if (!is_elsewhere)
    snprintf(text, room, "owner");
  else if (word == WORD_OF_KERNEL)
    snprintf(text, room, "user:%lu", (unsigned long)user);
  else
    snprintf(text, room, "host:");
}

// Whoever chose the name of a host may have put anything into it: it must not make the request unreadable.
static void write_host(char *text, size_t room, const char *host) {
  size_t length = (size_t)snprintf(text, room, "host:");
  for (; *host != '\0' && length + 1 < room; host++)
    text[length++] = isalnum((unsigned char)*host) || strchr(".:-_%", *host) != NULL ? *host : '?';
  text[length] = '\0';
}

void address_append(pam_handle_t *pam, const struct options *options, struct json_text *text, uid_t user) {
  char member[64], origin[sizeof "host:" + HOST_MAX];
  snprintf(member, sizeof member, "\"user\":%lu,", (unsigned long)user);
  json_append(text, member);
  if (geteuid() != 0) return;
  uid_t asking = user;
  enum word word = find_asking(pam, &asking);
  const char *host = place_item(pam, PAM_RHOST);
  if (*host != '\0')
    write_host(origin, sizeof origin, host);
  else if (word != WORD_NONE && asking != user)
    snprintf(origin, sizeof origin, "user:%lu", (unsigned long)asking);
  else
    write_own(origin, sizeof origin, !options->allow_remote && place_is_remote(pam), word, user);
  json_append(text, "\"origin\":");
  json_append_string(text, origin);
  json_append(text, ",");
}
