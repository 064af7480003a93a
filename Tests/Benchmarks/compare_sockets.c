// Round trips with the daemon, and with a server in C that does nothing or only what is durable.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <signal.h>
#include <unistd.h>

#include "compare.h"
#include "harness.h"
#include "ledger.h"
#include "wire.h"

/// A connection and the request that is sent over it again and again.
struct caller {
  struct wire wire;
  char request[1024];
};

static void call(void *context) {
  struct caller *caller = context;
  wire_send(&caller->wire, caller->request);
  while (wire_continues(wire_receive(&caller->wire))) {}
}

/// What the server in C answers, and what it does before that.
struct script {
  size_t request;
  int count;
  char *replies[4];
  struct ledger *ledger;
};

static void answer(int socket, const struct script *script) {
  // The first reply is the prompt, which nothing durable precedes; the charge and the settlement come
  // before the last.
  for (int i = 0; i < script->count; i++) {
    if (script->ledger && i == script->count - 1) {
      ledger_charge(script->ledger);
      ledger_settle(script->ledger);
    }
    send(socket, script->replies[i], strlen(script->replies[i]) + 1, MSG_NOSIGNAL);
  }
}

/// Serves one connection from a process of its own, with epoll as a server of many clients has it.
static pid_t serve(int socket, const struct script *script) {
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

/// Learns from one real call what the replies look like, and starts a server that sends the same.
static pid_t start_twin(struct caller *twin, struct caller *model, struct script *script) {
  wire_send(&model->wire, model->request);
  const char *reply;
  do {
    reply = wire_receive(&model->wire);
    if (script->count == 4) fail("too many replies");
    script->replies[script->count++] = strdup(reply);
  } while (wire_continues(reply));
  script->request = strlen(model->request) + 1;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) fail("no socket pair");
  *twin = *model;
  twin->wire = (struct wire){.socket = pair[0]};
  pid_t child = serve(pair[1], script);
  close(pair[1]);
  return child;
}

int compare_round_trip(int count, char **arguments) {
  (void)count;
  static struct caller ours, theirs;
  struct script script = {0};
  wire_open(&ours.wire, arguments[0]);
  snprintf(ours.request, sizeof ours.request,
           "{\"method\":\"io.localauth.Authentication.CanEvaluate\",\"parameters\":{"
           "\"policy\":\"biometrics\",\"device\":\"%s\",\"allowSimulated\":true}}",
           arguments[1]);
  pid_t twin = start_twin(&theirs, &ours, &script);
  int processor = last_processor();
  pid_t daemon = atoi(arguments[2]);
  pin(daemon, processor);
  pin(twin, processor);
  pin(0, processor);
  struct rounds rounds = interleave(15, 3000, call, &ours, call, &theirs);
  pin(daemon, -1);
  report("can-evaluate round trip / C ping-pong, same core", "us", 2.0, &rounds);
  kill(twin, SIGKILL);
  return 0;
}

int compare_attempt(int count, char **arguments) {
  (void)count;
  static struct caller ours, theirs;
  char path[4096];
  snprintf(path, sizeof path, "%s/attempt.sqlite", arguments[2]);
  struct script script = {0};
  wire_open(&ours.wire, arguments[0]);
  snprintf(ours.request, sizeof ours.request,
           "{\"method\":\"io.localauth.Authentication.Evaluate\",\"parameters\":{"
           "\"policy\":\"biometrics\",\"reason\":\"measure\",\"device\":\"%s\","
           "\"script\":\"match\",\"allowSimulated\":true},\"more\":true}",
           arguments[1]);
  script.ledger = ledger_open(path);
  pid_t twin = start_twin(&theirs, &ours, &script);
  struct rounds rounds = interleave(15, 150, call, &ours, call, &theirs);
  report("judged attempt / C round trip and two commits", "us", 1.5, &rounds);
  kill(twin, SIGKILL);
  return 0;
}

int send_calls(int count, char **arguments) {
  static struct wire wire;
  wire_open(&wire, arguments[0]);
  for (int i = 1; i + 1 < count; i += 2) wire_call(&wire, arguments[i], arguments[i + 1]);
  return 0;
}
