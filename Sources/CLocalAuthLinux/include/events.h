#pragma once
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Every function here that returns an int gives a descriptor or a count, or an error number negated.

enum {
  LA_READABLE = 0x001,
  LA_WRITABLE = 0x004,
  LA_FAILED = 0x008,
  LA_HUNG_UP = 0x010,
};

/// The most events that one wait reports.
#define LA_EVENTS_MAX 64

struct la_event {
  uint64_t token;
  uint32_t readiness;
};

int la_epoll_create(void);
int la_epoll_add(int epoll, int descriptor, uint32_t interest, uint64_t token);
int la_epoll_modify(int epoll, int descriptor, uint32_t interest, uint64_t token);
int la_epoll_remove(int epoll, int descriptor);
/// Waits for at most `timeout_ms` (-1: for ever); 0 also when a signal interrupted.
int la_epoll_wait(int epoll, struct la_event events[_Nonnull LA_EVENTS_MAX], int timeout_ms);

/// A counter: never blocking and read as a whole, or (`semaphore`) blocking and read one by one.
int la_counter_create(bool semaphore);
int la_counter_add(int counter, uint64_t amount);
/// Blocks only on a semaphore.
int la_counter_read(int counter);

/// A timer on the clock that starts at boot and runs through suspend.
int la_timer_create(void);
/// Lets the timer fire at `nanoseconds` since boot.
int la_timer_set(int timer, int64_t nanoseconds);

struct la_signal {
  int number;
  pid_t sender;
  uid_t sender_uid;
};

/// Blocks `signals` in the calling thread and gives a descriptor that reports them instead.
int la_signals_create(const int *_Nonnull signals, int count);
/// 1 with the next signal, 0 when there is none.
int la_signals_read(int descriptor, struct la_signal *_Nonnull signal);

/// Starts a thread on which every signal is blocked, so that no handler runs on its small stack.
/// `name` holds at most 15 bytes. Returns 0 or an error number negated.
int la_thread_start(pthread_t *_Nonnull thread, const char *_Nonnull name, size_t stack_size,
                    void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable context);

/// Waits for at most `milliseconds` of wall time. Returns 0, or ETIMEDOUT negated.
int la_semaphore_wait(sem_t *_Nonnull semaphore, int64_t milliseconds);
