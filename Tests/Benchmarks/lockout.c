#include "lockout.h"

static bool same(struct boot a, struct boot b) {
  return a.high == b.high && a.low == b.low && a.generation == b.generation;
}

static int64_t wait_after(const struct table *table, uint32_t failures) {
  if (table->locks_at && failures >= table->locks_at) return 0;
  for (size_t i = 0; i < table->count; i++) {
    const struct row *row = &table->rows[i];
    if (failures < row->from || failures > row->through) continue;
    if (!row->doubles_every) return row->delay;
    uint32_t doublings = (failures - row->from) / row->doubles_every;
    int64_t length;
    if (__builtin_mul_overflow(row->delay, (int64_t)1 << (doublings < 20 ? doublings : 20), &length))
      length = INT64_MAX;
    return length;
  }
  return 0;
}

static bool is_locked(const struct table *table, uint32_t failures) {
  return table && table->locks_at && failures >= table->locks_at;
}

static int64_t left(const struct tally *tally, const struct moment *now) {
  if (!tally->is_refused) return 0;
  if (!same(tally->boot, now->boot) || now->boot_time < tally->start) return tally->length;
  int64_t passed, left;
  if (__builtin_sub_overflow(now->boot_time, tally->start, &passed)) return 0;
  return __builtin_sub_overflow(tally->length, passed, &left) || left < 0 ? 0 : left;
}

enum standing lockout_charge(struct lockout *lockout, const struct moment *now,
                             int64_t *remaining) {
  struct tally *tally = &lockout->tally;
  if (is_locked(lockout->table, tally->failures) || is_locked(lockout->second, tally->failures))
    return LOCKED;
  *remaining = left(tally, now);
  if (*remaining > 0) return REFUSED;
  if (tally->failures < UINT32_MAX) tally->failures++;
  int64_t length = wait_after(lockout->table, tally->failures);
  if (lockout->second) {
    int64_t other = wait_after(lockout->second, tally->failures);
    if (other > length) length = other;
  }
  tally->is_refused = length > 0;
  tally->length = length;
  tally->start = now->boot_time;
  tally->boot = now->boot;
  return OPEN;
}

void lockout_matched(struct lockout *lockout) { lockout->tally = (struct tally){0}; }

void lockout_passcode_proven(struct lockout *lockout) { lockout->tally = (struct tally){0}; }
