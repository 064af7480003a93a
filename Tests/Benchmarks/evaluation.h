// The evaluation machine of LocalAuthCore once more, as one writes it in C.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BIOMETRY = 1, PASSCODE = 2 };
enum kind { FACTOR, ALL_OF, ANY_OF };

struct requirement {
  enum kind kind;
  uint8_t factor;
  size_t count;
  const struct requirement *parts;
};

/// Exit statuses stand for outcomes, as in the table of the design; NONE is none.
enum outcome { NONE = -1, SUCCESS = 0, FAILED = 1, FALLBACK = 4, LOCKOUT = 10, THROTTLED = 11,
               PASSCODE_NOT_SET = 14 };
enum state { IDLE, WAITING, PRESENTING, FINISHED };
enum action { ENQUEUE = 1, PRESENT, ATTEMPT, IGNORE, FINISH };

struct result {
  enum action action;
  uint8_t set;
  enum outcome outcome;
};

/// Whether finger and passcode can be asked for, and the outcome where not.
struct conditions {
  enum outcome biometry, passcode;
  bool needs_passcode_first, is_passcode_set, is_unlock_reusable;
};

struct evaluation {
  const struct requirement *requirement;
  bool needs_passcode_set;
  uint32_t misses_max, passcode_tries;
  uint8_t proven, in_flight;
  uint32_t judged, misses, wrong_passcodes;
  enum outcome biometry_excluded, passcode_excluded, outcome;
  enum state state;
};

struct result evaluation_begin(struct evaluation *e, const struct conditions *c);
struct result evaluation_armed(struct evaluation *e, const struct conditions *c);
struct result evaluation_offered(struct evaluation *e, uint8_t factor, const struct conditions *c);
struct result evaluation_judged(struct evaluation *e, uint8_t factor, bool is_proven, const struct conditions *c);
struct result evaluation_fallback(struct evaluation *e, const struct conditions *c);
struct result evaluation_changed(struct evaluation *e, const struct conditions *c);
