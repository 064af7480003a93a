#define _GNU_SOURCE
#include "service.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// Compiled in, and the same as the clients' in Swift; only tests build with others.
#ifndef LOCALAUTH_SOCKET
#define LOCALAUTH_SOCKET "/run/localauth/socket"
#endif
#ifndef LOCALAUTH_ACCOUNT
#define LOCALAUTH_ACCOUNT "localauth"
#endif

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static enum service_status wait_until(const struct service *service, short events, int64_t deadline) {
  for (;;) {
    int64_t left = deadline - now_ms();
    if (left <= 0) return SERVICE_TIMEOUT;
    struct pollfd ready[] = {{.fd = service->socket, .events = events}, {.fd = service->person, .events = POLLRDHUP}};
    int count = poll(ready, 2, left > 60000 ? 60000 : (int)left);
    if (count > 0) return ready[0].revents != 0 ? SERVICE_OK : SERVICE_CANCELLED;
    if (count < 0 && errno != EINTR) return SERVICE_LOST;
  }
}

// Whether root is at the other end, or the account of the service where there is one.
static enum service_status check_peer(int socket) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || length != sizeof peer) return SERVICE_LOST;
  if (peer.uid == 0) return SERVICE_OK;
  struct passwd account, *found = NULL;
  char buffer[4096];
  // Whoever takes all open files of the machine must not pass for a service that is not there.
  if (getpwnam_r(LOCALAUTH_ACCOUNT, &account, buffer, sizeof buffer, &found) != 0) return SERVICE_LOST;
  return found != NULL && peer.uid == account.pw_uid ? SERVICE_OK : SERVICE_UNAVAILABLE;
}

enum service_status service_connect(struct service *service, int timeout_ms) {
  *service = (struct service){.socket = -1, .person = -1};
  int64_t deadline = now_ms() + timeout_ms;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  _Static_assert(sizeof LOCALAUTH_SOCKET <= sizeof address.sun_path, "the path of the socket is too long");
  memcpy(address.sun_path, LOCALAUTH_SOCKET, sizeof LOCALAUTH_SOCKET);
  service->received = malloc(SERVICE_MESSAGE_MAX);
  service->document = malloc(sizeof *service->document);
  service->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (service->received == NULL || service->document == NULL || service->socket < 0) return SERVICE_LOST;
  // A Unix socket whose queue is full says so at once: it is asked again until the time is over.
  while (connect(service->socket, (struct sockaddr *)&address, sizeof address) != 0) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ECONNREFUSED || errno == EACCES) return SERVICE_UNAVAILABLE;
    if (errno != EAGAIN && errno != EINTR) return SERVICE_LOST;
    if (now_ms() >= deadline) return SERVICE_TIMEOUT;
    poll(NULL, 0, 20);
  }
  return check_peer(service->socket);
}

// Sends the parts as one message, so that the daemon is woken once and reads all of it.
static enum service_status send_all(struct service *service, struct iovec *parts, size_t count, int64_t deadline) {
  while (count > 0) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    ssize_t sent = sendmsg(service->socket, &message, MSG_NOSIGNAL);
    if (sent > 0) {
      size_t left = (size_t)sent;
      for (; count > 0 && left >= parts->iov_len; parts++, count--) left -= parts->iov_len;
      if (count > 0) {
        parts->iov_base = (char *)parts->iov_base + left;
        parts->iov_len -= left;
      }
    } else if (sent < 0 && errno == EAGAIN) {
      enum service_status status = wait_until(service, POLLOUT, deadline);
      if (status != SERVICE_OK) return status;
    } else if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) {
      // It may have said why before it closed, as to one connection too many: whoever reads hears that.
      return SERVICE_OK;
    } else if (sent == 0 || errno != EINTR) {
      return SERVICE_LOST;
    }
  }
  return SERVICE_OK;
}

enum service_status service_call(struct service *service, const char *method,
                                 const struct json_text *parameters, bool more, int timeout_ms) {
  int64_t deadline = now_ms() + timeout_ms;
  char head[128];
  struct json_text text = {.bytes = head, .room = sizeof head};
  json_append(&text, "{\"method\":");
  json_append_string(&text, method);
  json_append(&text, more ? ",\"more\":true,\"parameters\":" : ",\"parameters\":");
  if (text.failed || parameters->failed) return SERVICE_UNAVAILABLE;
  // The zero at the end of the text ends the message.
  char end[] = "}";
  struct iovec parts[] = {{text.bytes, text.length}, {parameters->bytes, parameters->length}, {end, sizeof end}};
  return send_all(service, parts, sizeof parts / sizeof *parts, deadline);
}

enum service_status service_reply(struct service *service, const struct json_token **reply, int timeout_ms) {
  int64_t deadline = now_ms() + timeout_ms;
  service->received_length -= service->taken;
  memmove(service->received, service->received + service->taken, service->received_length);
  service->taken = 0;
  for (;;) {
    const char *end = memchr(service->received, '\0', service->received_length);
    if (end != NULL) {
      size_t length = (size_t)(end - service->received);
      service->taken = length + 1;
      if (!json_read(service->document, service->received, length)) return SERVICE_LOST;
      *reply = service->document->tokens;
      return SERVICE_OK;
    }
    size_t room = SERVICE_MESSAGE_MAX - service->received_length;
    if (room == 0) return SERVICE_LOST;
    enum service_status status = wait_until(service, POLLIN, deadline);
    if (status != SERVICE_OK) return status;
    ssize_t count = recv(service->socket, service->received + service->received_length, room, 0);
    if (count > 0)
      service->received_length += (size_t)count;
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
      return SERVICE_LOST;
  }
}

bool service_has_reply(const struct service *service) {
  return memchr(service->received + service->taken, '\0', service->received_length - service->taken) != NULL;
}

void service_close(struct service *service) {
  if (service->socket >= 0) close(service->socket);
  if (service->received != NULL) explicit_bzero(service->received, SERVICE_MESSAGE_MAX);
  free(service->received);
  free(service->document);
  *service = (struct service){.socket = -1, .person = -1};
}
