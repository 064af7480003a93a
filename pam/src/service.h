#pragma once
#include "json.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The system's service over its socket: a call, and the replies to it, each within a time.

// The longest message either way.
#define SERVICE_MESSAGE_MAX (128 * 1024)

struct service {
  int socket;
  // A descriptor with whose other end the person goes, which ends every wait; -1 for none.
  int person;
  // What was received and not yet looked at.
  char *received;
  size_t received_length;
  size_t taken;
  struct json_document *document;
};

enum service_status {
  SERVICE_OK,
  // Nobody listens, or who does is not to be trusted.
  SERVICE_UNAVAILABLE,
  // It was reached, and ended, or said something that is no answer; or the machine has no room to ask it.
  SERVICE_LOST,
  // It did not take the connection, or said nothing, for as long as it may take.
  SERVICE_TIMEOUT,
  // The person has gone.
  SERVICE_CANCELLED,
};

// Connects, and checks by the kernel's word that root or the account of the service is at the other end
// before a byte is sent.
enum service_status service_connect(struct service *service, int timeout_ms);

// Sends `{"method": …, "parameters": {…}, "more": …}`; `parameters` is wiped by the caller.
enum service_status service_call(struct service *service, const char *method,
                                 const struct json_text *parameters, bool more, int timeout_ms);

// Waits for the next reply; it stays until the next call of this.
enum service_status service_reply(struct service *service, const struct json_token **reply, int timeout_ms);

// Whether a further reply has been received with an earlier one.
bool service_has_reply(const struct service *service);

// Closes the connection, which cancels a call that is under way, and wipes what was received.
void service_close(struct service *service);
