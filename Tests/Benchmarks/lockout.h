// The lockout machine of LocalAuthCore once more, as one writes it in C.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row {
  uint32_t from, through;
  int64_t delay;
  uint32_t doubles_every;
};

struct table {
  const struct row *rows;
  size_t count;
  uint32_t locks_at;
};

struct boot {
  uint64_t high, low;
  uint32_t generation;
};

/// One reading of the clocks.
struct moment {
  int64_t boot_time;
  struct boot boot;
  int64_t wall;
};

struct tally {
  uint32_t failures;
  bool is_refused;
  int64_t length, start;
  struct boot boot;
};

enum standing { OPEN, REFUSED, LOCKED };

struct lockout {
  struct tally tally;
  /// The device's profile, and the one that the policy names besides it or NULL.
  const struct table *table, *second;
};

/// Asks to judge one touch and counts it as a miss until it is judged otherwise.
enum standing lockout_charge(struct lockout *lockout, const struct moment *now, int64_t *remaining);
void lockout_matched(struct lockout *lockout);
void lockout_passcode_proven(struct lockout *lockout);
