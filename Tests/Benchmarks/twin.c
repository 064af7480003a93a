#define _GNU_SOURCE
#include "twin.h"

#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void answer(int socket, const struct twin *script) {
  for (int i = 0; i < script->count; i++) {
    if (script->work && i == script->count - 1) script->work(script->context);
    send(socket, script->replies[i], strlen(script->replies[i]) + 1, MSG_NOSIGNAL);
  }
}

/// Serves one connection from a process of its own, with epoll as a server of many clients has it.
static pid_t serve(int socket, const struct twin *script) {
  pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
  char buffer[65536];
  size_t used = 0;
  while (epoll_wait(epoll, &event, 1, -1) == 1) {
    ssize_t got = recv(socket, buffer, sizeof buffer, 0);
    if (got <= 0) break;
    for (used += (size_t)got; used >= script->request; used -= script->request)
      answer(socket, script);
  }
  _exit(0);
}

static pid_t start(struct twin *script, struct wire *twin, const char *request) {
  script->request = strlen(request) + 1;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) fail("no socket pair");
  twin->socket = pair[0];
  twin->used = twin->next = 0;
  pid_t child = serve(pair[1], script);
  close(pair[1]);
  return child;
}

pid_t twin_start(struct twin *script, struct wire *twin, struct wire *model, const char *request) {
  wire_send(model, request);
  const char *reply;
  do {
    reply = wire_receive(model);
    if (script->count == 4) fail("too many replies");
    script->replies[script->count++] = strdup(reply);
  } while (wire_continues(reply));
  return start(script, twin, request);
}

pid_t twin_start_as(struct twin *script, struct wire *twin, const char *reply, const char *request,
                    operation work, void *context) {
  *script = (struct twin){.count = 1, .replies = {strdup(reply)}, .work = work, .context = context};
  return start(script, twin, request);
}
