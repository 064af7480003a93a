#include "drafts.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

// What a handler may touch: a place is complete before its state says so.
enum state { la_free, la_being_noted, la_noted };
struct draft {
  _Atomic int state;
  int directory;
  char name[256];
};
enum { places = 8 };
static struct draft drafts[places];
static _Atomic bool is_asked_for;

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { deadly_count = sizeof deadly / sizeof deadly[0] };

static void remove_and_end(int number) {
  for (int place = 0; place < places; place++) {
    const struct draft *draft = &drafts[place];
    if (atomic_load(&draft->state) == la_noted) unlinkat(draft->directory, draft->name, 0);
  }
  struct sigaction standard = {.sa_handler = SIG_DFL};
  sigemptyset(&standard.sa_mask);
  sigaction(number, &standard, NULL);
  // Blocked while its handler runs, it is delivered when the handler returns.
  raise(number);
}

// Whoever watches signals later gives them back to this. Whoever handles them already cleans up itself.
static void handle_signals(void) {
  struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = SA_RESTART}, present;
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < deadly_count; index++) sigaddset(&action.sa_mask, deadly[index]);
  for (int index = 0; index < deadly_count; index++) {
    if (sigaction(deadly[index], NULL, &present) != 0 || present.sa_flags & SA_SIGINFO) continue;
    if (present.sa_handler == SIG_DFL) sigaction(deadly[index], &action, NULL);
  }
}

void la_drafts_go_with_signals(void) { atomic_store(&is_asked_for, true); }

int la_draft_note(int directory, const char *name) {
  size_t size = strlen(name) + 1;
  if (!atomic_load(&is_asked_for) || size > sizeof drafts[0].name) return -1;
  for (int place = 0; place < places; place++) {
    int expected = la_free;
    struct draft *draft = &drafts[place];
    if (!atomic_compare_exchange_strong(&draft->state, &expected, la_being_noted)) continue;
    draft->directory = directory;
    memcpy(draft->name, name, size);
    atomic_store(&draft->state, la_noted);
    handle_signals();
    return place;
  }
  return -1;
}

void la_draft_forget(int place) {
  if (place >= 0) atomic_store(&drafts[place].state, la_free);
}
