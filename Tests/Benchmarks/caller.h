// One client that asks the same again and again.
#pragma once
#include "wire.h"

/// A connection and the request that is sent over it.
struct caller {
  struct wire wire;
  char request[1024];
};

/// Sends the request of a `struct caller` and waits for the last reply.
static inline void call(void *context) {
  struct caller *caller = context;
  wire_send(&caller->wire, caller->request);
  while (wire_continues(wire_receive(&caller->wire))) {}
}
