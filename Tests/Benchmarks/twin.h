// A server in C that sends what ours sent, with nothing behind it or only what is durable.
#pragma once
#include <stddef.h>
#include <sys/types.h>

#include "harness.h"
#include "wire.h"

/// What the server in C answers, and what it does before that.
struct twin {
  size_t request;
  int count;
  char *replies[4];
  /// What is done before the last reply, if anything.
  operation work;
  void *context;
};

/// Learns from one real call of `request` what the replies look like, starts a server that sends the
/// same, and connects `twin` to it.
pid_t twin_start(struct twin *script, struct wire *twin, struct wire *model, const char *request);

/// Starts a server that does `work` and sends `reply` to each `request`.
pid_t twin_start_as(struct twin *script, struct wire *twin, const char *reply, const char *request,
                    operation work, void *context);
