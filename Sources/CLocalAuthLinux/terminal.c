#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// What a handler may touch: lock-free atomics, and structs that are complete before the atomic that
// announces them is set.
static _Atomic bool guard_is_taken;
static struct termios guarded_modes;
static _Atomic int guarded_terminal = -1;
static char farewell[64];
static _Atomic size_t farewell_size;

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
enum { watched_count = sizeof watched / sizeof watched[0] };
static struct sigaction former[watched_count];
static _Atomic bool is_watching;
static _Atomic bool deadly_signal_waits;
// Made once and never closed: a handler that is late on another thread must not write to a
// descriptor that has become something else.
static _Atomic int pipe_read = -1, pipe_write = -1;

static bool is_in_background(int terminal) {
  pid_t foreground = tcgetpgrp(terminal);
  return foreground > 0 && foreground != getpgrp();
}

// One raw terminal at a time is guarded; a process that has two at once is on its own with the other.
static void guard(int terminal, const struct termios *modes) {
  if (atomic_exchange(&guard_is_taken, true)) return;
  guarded_modes = *modes;
  atomic_store(&guarded_terminal, terminal);
}

static void unguard(int terminal) {
  if (atomic_load(&guarded_terminal) != terminal) return;
  atomic_store(&guarded_terminal, -1);
  atomic_store(&guard_is_taken, false);
}

int la_terminal_modes(int terminal, struct termios *modes) { return tcgetattr(terminal, modes); }

int la_terminal_make_raw(int terminal, const struct termios *original) {
  struct termios raw = *original;
  raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN);
  raw.c_lflag |= ISIG;
  raw.c_iflag &= ~(tcflag_t)(IXON | ISTRIP | INLCR | IGNCR);
  raw.c_iflag |= ICRNL;
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  guard(terminal, original);
  int result;
  // In the background this stops the process until it is in the foreground, which is right: nobody
  // could answer before.
  do {
    result = tcsetattr(terminal, TCSANOW, &raw);
  } while (result != 0 && errno == EINTR);
  if (result != 0) unguard(terminal);
  return result;
}

void la_terminal_restore(int terminal, const struct termios *original) {
  if (!is_in_background(terminal)) {
    // The rest of a passcode that somebody else's success made needless is not for the shell.
    tcflush(terminal, TCIFLUSH);
    while (tcsetattr(terminal, TCSANOW, original) != 0 && errno == EINTR) {
    }
  }
  unguard(terminal);
}

void la_terminal_set_farewell(const char *text) {
  size_t size = strlen(text);
  if (size > sizeof farewell) size = 0;
  atomic_store(&farewell_size, 0);
  memcpy(farewell, text, size);
  atomic_store(&farewell_size, size);
}

void la_terminal_size(int terminal, int *columns, int *rows) {
  struct winsize size = {0};
  if (ioctl(terminal, TIOCGWINSZ, &size) != 0) size = (struct winsize){0};
  *columns = size.ws_col;
  *rows = size.ws_row;
}

static bool is_deadly(int number) {
  return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

static void take_old_effect(int number) {
  int terminal = atomic_load(&guarded_terminal);
  if (terminal >= 0 && !is_in_background(terminal)) {
    tcsetattr(terminal, TCSANOW, &guarded_modes);
    ssize_t ignored = write(terminal, farewell, atomic_load(&farewell_size));
    (void)ignored;
  }
  for (int index = 0; index < watched_count; index++) {
    if (watched[index] == number) sigaction(number, &former[index], NULL);
  }
  // Blocked while its handler runs, it is delivered when the handler returns.
  raise(number);
}

static void note_signal(int number) {
  int saved_errno = errno;
  if (is_deadly(number) && atomic_exchange(&deadly_signal_waits, true)) {
    take_old_effect(number);
  } else {
    unsigned char byte = (unsigned char)number;
    // A full pipe holds thousands of signals already.
    ssize_t ignored = write(atomic_load(&pipe_write), &byte, 1);
    (void)ignored;
  }
  errno = saved_errno;
}

static int open_pipe(void) {
  if (atomic_load(&pipe_read) >= 0) return 0;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  atomic_store(&pipe_write, ends[1]);
  atomic_store(&pipe_read, ends[0]);
  return 0;
}

static bool is_ignored(const struct sigaction *action) {
  return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_IGN;
}

int la_signals_watch(void) {
  if (atomic_exchange(&is_watching, true)) {
    errno = EBUSY;
    return -1;
  }
  if (open_pipe() != 0) {
    atomic_store(&is_watching, false);
    return -1;
  }
  while (la_signals_next() != 0) {
  }
  atomic_store(&deadly_signal_waits, false);
  struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < watched_count; index++) sigaddset(&action.sa_mask, watched[index]);
  // A background tcsetattr in the handler must fail or pass, never stop the process there.
  sigaddset(&action.sa_mask, SIGTTOU);
  for (int index = 0; index < watched_count; index++) {
    sigaction(watched[index], NULL, &former[index]);
    if (!is_ignored(&former[index])) sigaction(watched[index], &action, NULL);
  }
  return atomic_load(&pipe_read);
}

void la_signals_unwatch(void) {
  for (int index = 0; index < watched_count; index++) {
    sigaction(watched[index], &former[index], NULL);
  }
  atomic_store(&is_watching, false);
}

int la_signals_next(void) {
  unsigned char byte;
  ssize_t count;
  do {
    count = read(atomic_load(&pipe_read), &byte, 1);
  } while (count < 0 && errno == EINTR);
  if (count != 1) return 0;
  if (is_deadly(byte)) atomic_store(&deadly_signal_waits, false);
  return byte;
}

void la_signals_send(int number) {
  sigset_t one, mask;
  sigemptyset(&one);
  sigaddset(&one, number);
  pthread_sigmask(SIG_UNBLOCK, &one, &mask);
  raise(number);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

void la_signals_stop_process(void) {
  struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
  sigemptyset(&standard.sa_mask);
  sigaction(SIGTSTP, &standard, &ours);
  la_signals_send(SIGTSTP);
  sigaction(SIGTSTP, &ours, NULL);
}

int la_open_pty(char *name, size_t size) {
  int controller = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (controller < 0) return -1;
  int error = 0;
  if (grantpt(controller) != 0 || unlockpt(controller) != 0) error = errno;
  if (error == 0) error = ptsname_r(controller, name, size);
  if (error == 0) return controller;
  close(controller);
  errno = error;
  return -1;
}
