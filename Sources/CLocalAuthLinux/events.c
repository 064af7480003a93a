#include "events.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

_Static_assert(LA_READABLE == EPOLLIN && LA_WRITABLE == EPOLLOUT, "as the kernel numbers them");
_Static_assert(LA_FAILED == EPOLLERR && LA_HUNG_UP == EPOLLHUP, "as the kernel numbers them");

static int result(int value) { return value < 0 ? -errno : value; }

int la_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int epoll, int operation, int descriptor, uint32_t interest, uint64_t token) {
  struct epoll_event event = {.events = interest, .data.u64 = token};
  return result(epoll_ctl(epoll, operation, descriptor, &event));
}

int la_epoll_add(int epoll, int descriptor, uint32_t interest, uint64_t token) {
  return control(epoll, EPOLL_CTL_ADD, descriptor, interest, token);
}

int la_epoll_modify(int epoll, int descriptor, uint32_t interest, uint64_t token) {
  return control(epoll, EPOLL_CTL_MOD, descriptor, interest, token);
}

int la_epoll_remove(int epoll, int descriptor) {
  return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}

int la_epoll_wait(int epoll, struct la_event events[LA_EVENTS_MAX], int timeout_ms) {
  struct epoll_event ready[LA_EVENTS_MAX];
  int count = epoll_wait(epoll, ready, LA_EVENTS_MAX, timeout_ms);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int i = 0; i < count; i++) {
    events[i].token = ready[i].data.u64;
    events[i].readiness = ready[i].events;
  }
  return count;
}

int la_counter_create(bool semaphore) {
  return result(eventfd(0, EFD_CLOEXEC | (semaphore ? EFD_SEMAPHORE : EFD_NONBLOCK)));
}

int la_counter_add(int counter, uint64_t amount) {
  ssize_t written;
  do {
    written = write(counter, &amount, sizeof amount);
  } while (written < 0 && errno == EINTR);
  return written < 0 ? -errno : 0;
}

int la_counter_read(int counter) {
  uint64_t value;
  ssize_t got;
  do {
    got = read(counter, &value, sizeof value);
  } while (got < 0 && errno == EINTR);
  return got < 0 ? -errno : 0;
}

int la_timer_create(void) {
  return result(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK));
}

int la_timer_set(int timer, int64_t nanoseconds) {
  // A time of zero would disarm the timer; everything before now fires at once.
  if (nanoseconds < 1) nanoseconds = 1;
  struct itimerspec when = {
      .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  return result(timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL));
}

int la_signals_create(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++)
    if (sigaddset(&set, signals[i]) != 0) return -errno;
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error != 0) return -error;
  return result(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int la_signals_read(int descriptor, struct la_signal *signal) {
  struct signalfd_siginfo info;
  ssize_t got = read(descriptor, &info, sizeof info);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  if (got != sizeof info) return -EIO;
  signal->number = (int)info.ssi_signo;
  signal->sender = (pid_t)info.ssi_pid;
  signal->sender_uid = info.ssi_uid;
  return 1;
}

int la_thread_start(pthread_t *thread, const char *name, size_t stack_size, void *(*body)(void *),
                    void *context) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return -error;
  error = pthread_attr_setstacksize(&attributes, stack_size);
  if (error == 0) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(thread, &attributes, body, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  pthread_attr_destroy(&attributes);
  // The name is for people who look; a thread without one works as well.
  if (error == 0) pthread_setname_np(*thread, name);
  return -error;
}

int la_semaphore_wait(sem_t *semaphore, int64_t milliseconds) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += milliseconds / 1000;
  deadline.tv_nsec += milliseconds % 1000 * 1000000;
  if (deadline.tv_nsec >= 1000000000) {
    deadline.tv_sec++;
    deadline.tv_nsec -= 1000000000;
  }
  int waited;
  do {
    waited = sem_timedwait(semaphore, &deadline);
  } while (waited != 0 && errno == EINTR);
  return result(waited);
}
