// The C program that `authctl evaluate` is compared with: the same round trips with the same daemon.
#include <stdio.h>
#include <string.h>

#include "wire.h"

int main(int count, char **arguments) {
  if (count != 3) return 2;
  static struct wire wire;
  wire_open(&wire, arguments[1]);
  char request[1024];
  snprintf(request, sizeof request,
           "{\"method\":\"io.localauth.Authentication.Evaluate\",\"parameters\":{"
           "\"policy\":\"biometrics\",\"reason\":\"measure\",\"device\":\"%s\","
           "\"timeoutMilliseconds\":30000,\"script\":\"match\",\"scriptIsArgument\":true,"
           "\"allowSimulated\":true},\"more\":true}",
           arguments[2]);
  wire_send(&wire, request);
  const char *reply;
  do reply = wire_receive(&wire);
  while (wire_continues(reply));
  char outcome[32];
  if (!wire_text(reply, "outcome", outcome, sizeof outcome)) return 70;
  puts(outcome);
  return strcmp(outcome, "success") == 0 ? 0 : 1;
}
