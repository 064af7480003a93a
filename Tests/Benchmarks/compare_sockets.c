// Round trips with the daemon, and with a server in C that does nothing or only what is durable.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caller.h"
#include "compare.h"
#include "harness.h"
#include "ledger.h"
#include "twin.h"
#include "wire.h"

int compare_round_trip(int count, char **arguments) {
  (void)count;
  static struct caller ours, theirs;
  struct twin script = {0};
  wire_open(&ours.wire, arguments[0]);
  snprintf(ours.request, sizeof ours.request,
           "{\"method\":\"io.localauth.Authentication.CanEvaluate\",\"parameters\":{"
           "\"policy\":\"biometrics\",\"device\":\"%s\",\"allowSimulated\":true}}",
           arguments[1]);
  memcpy(theirs.request, ours.request, sizeof ours.request);
  pid_t twin = twin_start(&script, &theirs.wire, &ours.wire, ours.request);
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

static void charge_and_settle(void *context) {
  ledger_charge(context);
  ledger_settle(context);
}

int compare_attempt(int count, char **arguments) {
  (void)count;
  static struct caller ours, theirs;
  char path[4096];
  snprintf(path, sizeof path, "%s/attempt.sqlite", arguments[2]);
  struct twin script = {0};
  wire_open(&ours.wire, arguments[0]);
  snprintf(ours.request, sizeof ours.request,
           "{\"method\":\"io.localauth.Authentication.Evaluate\",\"parameters\":{"
           "\"policy\":\"biometrics\",\"reason\":\"measure\",\"device\":\"%s\","
           "\"script\":\"match\",\"allowSimulated\":true},\"more\":true}",
           arguments[1]);
  // The first reply is the prompt, which nothing durable precedes.
  script.work = charge_and_settle;
  script.context = ledger_open(path);
  memcpy(theirs.request, ours.request, sizeof ours.request);
  pid_t twin = twin_start(&script, &theirs.wire, &ours.wire, ours.request);
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
