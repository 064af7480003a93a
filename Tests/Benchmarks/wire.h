// The least that a client of the daemon needs: NUL-terminated frames over a Unix socket.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// A connection and what has arrived on it; the longest answer has 448 KiB.
struct wire {
  int socket;
  size_t used;
  size_t next;
  char buffer[512 << 10];
};

/// Connects, or ends the process.
void wire_open(struct wire *wire, const char *path);
void wire_close(struct wire *wire);

/// Sends a text and its NUL.
void wire_send(struct wire *wire, const char *text);

/// The next frame, valid until the next call.
const char *wire_receive(struct wire *wire);

/// Whether the frame says that another one follows.
bool wire_continues(const char *frame);

/// The string that `key` has in `frame`, copied into `value`; false when there is none.
bool wire_text(const char *frame, const char *key, char *value, size_t size);

/// Calls a method that replies once; fails unless the reply holds `expected`.
void wire_call(struct wire *wire, const char *request, const char *expected);
