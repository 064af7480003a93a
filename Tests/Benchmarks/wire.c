#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static _Noreturn void broken(const char *what) {
  fprintf(stderr, "wire: %s: %s\n", what, errno ? strerror(errno) : "closed");
  exit(1);
}

void wire_open(struct wire *wire, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  wire->used = wire->next = 0;
  wire->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (wire->socket < 0 || connect(wire->socket, (void *)&address, sizeof address) != 0)
    broken(path);
}

void wire_close(struct wire *wire) { close(wire->socket); }

void wire_send(struct wire *wire, const char *text) {
  size_t size = strlen(text) + 1;
  if (send(wire->socket, text, size, MSG_NOSIGNAL) != (ssize_t)size) broken("send");
}

const char *wire_receive(struct wire *wire) {
  char *start = wire->buffer + wire->next;
  char *end = memchr(start, 0, wire->used - wire->next);
  if (!end) {
    memmove(wire->buffer, start, wire->used - wire->next);
    wire->used -= wire->next;
    wire->next = 0;
    start = wire->buffer;
  }
  while (!end) {
    char *fresh = wire->buffer + wire->used;
    ssize_t got = recv(wire->socket, fresh, sizeof wire->buffer - wire->used, 0);
    if (got <= 0) broken("recv");
    wire->used += (size_t)got;
    end = memchr(fresh, 0, (size_t)got);
  }
  wire->next = (size_t)(end + 1 - wire->buffer);
  return start;
}

bool wire_continues(const char *frame) { return strstr(frame, "\"continues\":true") != NULL; }

bool wire_text(const char *frame, const char *key, char *value, size_t size) {
  char pattern[64];
  snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
  const char *start = strstr(frame, pattern);
  if (!start) return false;
  start += strlen(pattern);
  size_t length = strcspn(start, "\"");
  if (length >= size) return false;
  memcpy(value, start, length);
  value[length] = 0;
  return true;
}

void wire_call(struct wire *wire, const char *request, const char *expected) {
  wire_send(wire, request);
  const char *reply = wire_receive(wire);
  if (strstr(reply, expected)) return;
  fprintf(stderr, "wire: %s\n   -> %s\n", request, reply);
  exit(1);
}
