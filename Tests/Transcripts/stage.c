// Loaded before a daemon: its time stands still until the transcript moves it, a guess at a passcode costs nothing, and
// whatever is judged or brought to the disk waits until the transcript lets it, one after the other.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { JUDGE, DISK, MIRROR, GATES, WORKERS_MAX = 256 };

// Shared with the transcript, which reads and writes it as stage.py says.
static struct {
  _Atomic int64_t now;
  // How many have come to each gate, and how many may pass.
  _Atomic uint32_t came[GATES], passes[GATES];
  _Atomic uint32_t workers;
  _Atomic int32_t worker[WORKERS_MAX];
} *stage;
static _Atomic int64_t deadline;
static _Atomic int timer = -1;

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))
// 2030-01-01, a quarter of an hour after the machine was started.
static const int64_t second = 1000000000, date = 1893456000, uptime = 900;

__attribute__((constructor)) static void begin(void) {
  char path[4096];
  const char *home = getenv("HOME");
  if (home == NULL || snprintf(path, sizeof path, "%s.stage", home) >= (int)sizeof path) _exit(99);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) _exit(99);
  stage = mmap(NULL, sizeof *stage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (stage == MAP_FAILED) _exit(99);
}

static void wait_at(int gate) {
  uint32_t number = stage->came[gate]++, passes;
  while (number >= (passes = stage->passes[gate])) syscall(SYS_futex, &stage->passes[gate], FUTEX_WAIT, passes, NULL);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME) return (int)syscall(SYS_clock_gettime, clock, time);
  int64_t now = stage->now + (clock == CLOCK_REALTIME ? date : uptime) * second;
  time->tv_sec = now / second;
  time->tv_nsec = now % second;
  return 0;
}

static void set_timer(int64_t nanoseconds) {
  struct itimerspec when = {.it_value = {.tv_nsec = nanoseconds}};
  REAL(timerfd_settime)(timer, 0, &when, NULL);
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *when, struct itimerspec *old) {
  if (flags != TFD_TIMER_ABSTIME || old != NULL) abort();
  timer = descriptor;
  deadline = (int64_t)when->it_value.tv_sec * second + when->it_value.tv_nsec;
  set_timer(0);
  return 0;
}

// Whatever is due by now is due at once.
int epoll_wait(int descriptor, struct epoll_event *events, int count, int timeout) {
  if (deadline != 0 && deadline <= stage->now + uptime * second) {
    deadline = 0;
    set_timer(1);
  }
  return REAL(epoll_wait)(descriptor, events, count, timeout);
}

// Housekeeping of a thread without work is left out.
int sem_timedwait(sem_t *semaphore, const struct timespec *limit) {
  (void)limit;
  return sem_wait(semaphore);
}

// The second copy of the sequence is synced beside the database, by a thread of its own; it is small.
int fdatasync(int descriptor) {
  struct stat file;
  wait_at(fstat(descriptor, &file) == 0 && file.st_size < 4096 ? MIRROR : DISK);
  return REAL(fdatasync)(descriptor);
}

int crypto_pwhash_argon2id(unsigned char *, unsigned long long, const char *, unsigned long long,
                           const unsigned char *, unsigned long long, size_t, int);

int crypto_pwhash_argon2id(unsigned char *out, unsigned long long size, const char *secret,
                           unsigned long long length, const unsigned char *salt, unsigned long long passes,
                           size_t memory, int algorithm) {
  (void)passes;
  (void)memory;
  wait_at(JUDGE);
  return REAL(crypto_pwhash_argon2id)(out, size, secret, length, salt, 1, 8192, algorithm);
}

// A worker of the daemon, for whose end or sleep the transcript waits too: clone(2) by the C library's other name.
int __clone(int (*)(void *), void *, int, void *, ...);

int __clone(int (*body)(void *), void *stack, int flags, void *argument, ...) {
  va_list more;
  va_start(more, argument);
  void *descriptor = va_arg(more, void *);
  va_end(more);
  int process = REAL(__clone)(body, stack, flags, argument, descriptor);
  uint32_t number = stage->workers;
  if (process > 0 && number < WORKERS_MAX) {
    stage->worker[number] = process;
    stage->workers = number + 1;
  }
  return process;
}
