#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Every function here that returns an int or ssize_t gives a descriptor or a count, or an error
// number negated. No descriptor is inherited by programs that are started.

/// A blocking listener that has no name: its path in `directory` is gone when this returns. `place`
/// leads to it, for la_nameless_connect alone.
int la_nameless_listen(int directory, int backlog, int *_Nonnull place);

/// A connection to the nameless listener at `place`. Without `blocking` nothing is waited for.
int la_nameless_connect(int place, bool blocking);

/// A stream socket that never blocks.
int la_socket_create(void);
/// Binds to `path`, which gets exactly `mode` from the moment it exists, and replaces a socket file on which no
/// process listens. The caller has the lock of the directory: without it two servers that find the same dead socket
/// would remove each other's new one, and one that is bound but not yet listening would be taken for dead.
int la_socket_bind(int socket, const char *_Nonnull path, mode_t mode);
int la_socket_connect(int socket, const char *_Nonnull path);
int la_socket_listen(int socket, int backlog);
/// 1 when `descriptor` is a Unix stream socket that listens.
int la_socket_is_listener(int descriptor);
/// The next connection, never blocking.
int la_socket_accept(int listener);
int la_socket_set_nonblocking(int descriptor);

struct la_peer {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

/// Who connected, as the kernel recorded it at that moment.
int la_peer_credentials(int socket, struct la_peer *_Nonnull peer);
/// A descriptor of the process that connected (Linux 6.5), -ENOPROTOOPT where there is none.
int la_peer_process(int socket);
/// A descriptor of the process that has this id now.
int la_process_open(pid_t pid);
/// 1 when the process has ended.
int la_process_has_ended(int process);

/// Has the kernel say who sends each message; a listener's connections inherit it.
int la_socket_tell_senders(int socket);

/// Reads what is there, of one sender, never blocking; 0 at the end. The socket tells senders.
/// `*sender` is the process that wrote it, 0 where that cannot be said.
ssize_t la_receive(int socket, void *_Nonnull bytes, size_t count, pid_t *_Nonnull sender);
/// Sends what fits, never blocking and without SIGPIPE.
ssize_t la_send(int socket, const void *_Nonnull bytes, size_t count);
/// Sends `bytes` and a NUL in one call; the count includes the NUL.
ssize_t la_send_terminated(int socket, const void *_Nullable bytes, size_t count);

/// Passes one descriptor in a message of one byte, never blocking; 0 when it was sent.
int la_send_descriptor(int socket, int descriptor);
/// The one descriptor of a message of one byte, never blocking; -EBADMSG for any other message, and at the end.
int la_receive_descriptor(int socket);

/// A descriptor of nothing, to be given up when descriptors run out.
int la_reserve_descriptor(void);

/// Holds other processes off the directory until the descriptor is closed.
int la_directory_lock(const char *_Nonnull path);
