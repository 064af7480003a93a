#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Every function here that returns an int gives 0, a count or a descriptor, or an error number
// negated. No descriptor made here is inherited by programs that are started.

/// The most descriptors one started program can be given.
#define LA_SPAWN_DESCRIPTORS_MAX 16

/// A program to start, and everything it gets. Nothing else is inherited: every other descriptor is
/// closed, every signal is unblocked and back at its default, and it leads a session of its own.
struct la_spawn_request {
  /// An absolute path; no search happens.
  const char *_Nonnull path;
  char *_Nullable const *_Nonnull arguments;
  char *_Nullable const *_Nonnull environment;
  const char *_Nonnull directory;
  /// Descriptor `i` of the program is a duplicate of `descriptors[i]`; -1 stands for /dev/null.
  const int *_Nonnull descriptors;
  int descriptor_count;
  /// SIGKILL the program when the *thread* that started it ends.
  bool dies_with_parent;
  /// Hand the program to init: it is no child of ours, and there is no pidfd.
  bool detached;
};

/// What came of it. `call` names the step that failed, or is NULL; `pidfd` is -1 when detached.
struct la_spawned {
  pid_t pid;
  int pidfd;
  const char *_Nullable call;
};

/// Starts a program without copying this process: the child borrows its memory until `execve`, so
/// no lock that another thread holds can be found locked.
int la_spawn(const struct la_spawn_request *_Nonnull request, struct la_spawned *_Nonnull result);

enum la_exit_kind { LA_EXIT_RUNNING, LA_EXIT_STATUS, LA_EXIT_SIGNAL };

struct la_exit {
  enum la_exit_kind kind;
  int value;
};

/// How the child behind `pidfd` ended. `wait` blocks until it has; `reap` lets its pid be reused.
int la_child_exit(int pidfd, bool wait, bool reap, struct la_exit *_Nonnull result);

/// Two connected stream sockets, closed on exec.
int la_socket_pair(int *_Nonnull one, int *_Nonnull other);

/// A pipe, closed on exec.
int la_pipe(int *_Nonnull reader, int *_Nonnull writer);

/// A blocking stream socket connected to `path`, given up after `timeout_ms` when the server does
/// not accept (0: wait for ever).
int la_connect(const char *_Nonnull path, int timeout_ms);

/// Limits how long a send may block; 0 for no limit.
int la_limit_send(int descriptor, int timeout_ms);

/// Limits how long a receive may block; 0 for no limit.
int la_limit_receive(int descriptor, int timeout_ms);

/// Sends one datagram, never blocking, to a path or (beginning with `@`) an abstract address.
int la_send_datagram(const char *_Nonnull address, const void *_Nonnull bytes, size_t count);

/// Whether this program has more rights than whoever started it (AT_SECURE).
bool la_is_privileged_execution(void);

/// The home directory that /etc/passwd gives `uid`: -ENOENT when it has no such user, -ERANGE when
/// the path does not fit.
int la_home_directory(uid_t uid, char *_Nonnull path, size_t size);

/// The uid that /etc/passwd gives the account `name`: -ENOENT when it has no such account.
int64_t la_account_uid(const char *_Nonnull name);

/// The name of the account that /etc/passwd gives `uid`: -ENOENT when there is none, -ERANGE when
/// the name does not fit.
int la_account_name(uid_t uid, char *_Nonnull name, size_t size);

/// The gid that /etc/passwd gives the account with `uid`: -ENOENT when there is none.
int64_t la_account_group(uid_t uid);

/// Makes this process, which is root and has one thread, the account `uid` with the one group `gid`,
/// without any capability and without a way back. The limit on locked memory is raised before.
int la_become(uid_t uid, gid_t gid);

/// Closes all descriptors from 3 on but these two; -1 stands for none.
int la_keep_descriptors(int one, int other);

/// Leaves what the process that started this one works in: its directory, its input and its
/// terminal, which can still be written to where it is output.
int la_leave_session(void);

/// Keeps this process's memory out of core files and away from same-uid debuggers.
int la_forbid_dumps(void);

/// Gives the signals of a crash their default effect, whoever handles them now.
int la_die_quietly(void);

/// Makes a write to a peer that is gone an error instead of a deadly signal.
int la_ignore_broken_pipes(void);

/// Lifts the soft limit on open descriptors to the hard one.
int la_raise_descriptor_limit(void);

/// Lets this process have so much memory that it writes to, and no more, for good.
int la_limit_memory(size_t bytes);

/// Ends this process by SIGPROF once it has computed for so many seconds from now on; 0 takes that back.
int la_limit_computing(int seconds);
