// The machines of LocalAuthCore once more, as one writes them in C: lockout and evaluation.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// MARK: The course of events

static uint64_t state = 42, checksum;

static uint64_t next(void) {
  uint64_t mixed = state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

static void note(uint64_t value) { checksum = (checksum << 5 | checksum >> 59) ^ value; }

// MARK: Lockout

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

struct tally {
  uint32_t failures;
  bool is_refused;
  int64_t length, start;
  struct boot boot;
};

enum standing { OPEN, REFUSED, LOCKED };

static const struct row rows[] = {
    {5, 5, 30000000000, 0}, {10, 10, 60000000000, 0}, {15, 15, 120000000000, 5}};
static const struct table table = {rows, 3, 20};

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

static enum standing standing(const struct tally *tally, const struct table *table, int64_t now,
                              struct boot boot, int64_t *remaining) {
  if (table->locks_at && tally->failures >= table->locks_at) return LOCKED;
  if (!tally->is_refused) return OPEN;
  int64_t left = tally->length;
  if (same(tally->boot, boot) && now >= tally->start) left -= now - tally->start;
  if (left <= 0) return OPEN;
  *remaining = left;
  return REFUSED;
}

static enum standing charge(struct tally *tally, const struct table *table, int64_t now,
                            struct boot boot, int64_t *remaining) {
  enum standing found = standing(tally, table, now, boot, remaining);
  if (found != OPEN) return found;
  if (tally->failures < UINT32_MAX) tally->failures++;
  int64_t length = wait_after(table, tally->failures);
  tally->is_refused = length > 0;
  tally->length = length;
  tally->start = now;
  tally->boot = boot;
  return OPEN;
}

__attribute__((noinline)) static void lockout_steps(long count) {
  struct tally tally = {0};
  struct boot boot = {1, 2, 0};
  int64_t now = 0, remaining = 0;
  for (long i = 0; i < count; i++) {
    uint64_t draw = next();
    now += (int64_t)(draw & 0x3FFFFFFF);
    switch (charge(&tally, &table, now, boot, &remaining)) {
      case OPEN:
        if ((draw >> 32 & 15) == 0) tally = (struct tally){0};
        note(tally.failures);
        break;
      case REFUSED:
        note((uint64_t)remaining);
        if ((draw >> 40 & 3) == 0) now += remaining;
        break;
      case LOCKED:
        note(99);
        if ((draw >> 44 & 3) == 0) tally = (struct tally){0};
    }
  }
}

// MARK: Requirement

enum { BIOMETRY = 1, PASSCODE = 2 };
enum kind { FACTOR, ALL_OF, ANY_OF };

struct requirement {
  enum kind kind;
  uint8_t factor;
  size_t count;
  const struct requirement *parts;
};

static bool is_met(const struct requirement *r, uint8_t proven) {
  if (r->kind == FACTOR) return proven & r->factor;
  for (size_t i = 0; i < r->count; i++)
    if (is_met(&r->parts[i], proven) == (r->kind == ANY_OF)) return r->kind == ANY_OF;
  return r->kind == ALL_OF && r->count > 0;
}

static bool is_reachable(const struct requirement *r, uint8_t proven, uint8_t usable) {
  if (r->kind == FACTOR) return (proven | usable) & r->factor;
  for (size_t i = 0; i < r->count; i++)
    if (is_reachable(&r->parts[i], proven, usable) == (r->kind == ANY_OF)) return r->kind == ANY_OF;
  return r->kind == ALL_OF && r->count > 0;
}

static uint8_t next_factor(const struct requirement *r, uint8_t proven, uint8_t usable) {
  if (is_met(r, proven) || !is_reachable(r, proven, usable)) return 0;
  if (r->kind == FACTOR) return r->factor;
  for (size_t i = 0; i < r->count; i++) {
    uint8_t factor = next_factor(&r->parts[i], proven, usable);
    if (factor) return factor;
  }
  return 0;
}

static uint8_t factors(const struct requirement *r) {
  uint8_t set = r->factor;
  for (size_t i = 0; i < r->count; i++) set |= factors(&r->parts[i]);
  return set;
}

static uint8_t obstacle(const struct requirement *r, uint8_t proven, uint8_t usable) {
  if (r->kind == FACTOR) return is_reachable(r, proven, usable) ? 0 : r->factor;
  if (r->kind == ANY_OF)
    return is_reachable(r, proven, usable) || !r->count
               ? 0 : obstacle(&r->parts[r->count - 1], proven, usable);
  for (size_t i = 0; i < r->count; i++) {
    uint8_t factor = obstacle(&r->parts[i], proven, usable);
    if (factor) return factor;
  }
  return 0;
}

// MARK: Evaluation

/// Exit statuses stand for outcomes, as in the table of the design; NONE is none.
enum outcome { NONE = -1, SUCCESS = 0, FAILED = 1, FALLBACK = 4, LOCKOUT = 10, THROTTLED = 11 };
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
};

struct evaluation {
  const struct requirement *requirement;
  uint32_t misses_max, passcode_tries;
  uint8_t proven, in_flight;
  uint32_t judged, misses, wrong_passcodes;
  enum outcome biometry_excluded, passcode_excluded, outcome;
  enum state state;
};

static uint8_t usable(const struct evaluation *e, const struct conditions *c) {
  return (c->biometry == NONE && e->biometry_excluded == NONE ? BIOMETRY : 0) |
         (c->passcode == NONE && e->passcode_excluded == NONE ? PASSCODE : 0);
}

static uint8_t askable(const struct evaluation *e, const struct conditions *c) {
  return next_factor(e->requirement, e->proven, usable(e, c));
}

static enum outcome reason(enum outcome condition, enum outcome exclusion) {
  if (exclusion == FALLBACK) return exclusion;
  return condition != NONE ? condition : exclusion != NONE ? exclusion : FAILED;
}

static enum outcome refusal(const struct evaluation *e, const struct conditions *c) {
  switch (obstacle(e->requirement, e->proven, usable(e, c) | e->in_flight)) {
    case 0: return NONE;
    case BIOMETRY: return reason(c->biometry, e->biometry_excluded);
    default: return reason(c->passcode, e->passcode_excluded);
  }
}

static struct result finish(struct evaluation *e, enum outcome outcome) {
  e->state = FINISHED;
  e->outcome = outcome;
  return (struct result){FINISH, 0, outcome};
}

static struct result proceed(struct evaluation *e, const struct conditions *c) {
  if (is_met(e->requirement, e->proven)) return finish(e, SUCCESS);
  enum outcome refused = refusal(e, c);
  if (refused != NONE) return finish(e, refused);
  return (struct result){PRESENT, askable(e, c) | e->in_flight, NONE};
}

static const struct result ignored = {IGNORE, 0, NONE};

static struct result begin(struct evaluation *e, const struct conditions *c) {
  if (e->state != IDLE) return ignored;
  if (is_met(e->requirement, e->proven)) return finish(e, SUCCESS);
  enum outcome refused = refusal(e, c);
  if (refused != NONE) return finish(e, refused);
  e->state = WAITING;
  return (struct result){ENQUEUE, 0, NONE};
}

static struct result armed(struct evaluation *e, const struct conditions *c) {
  if (e->state != WAITING) return ignored;
  e->state = PRESENTING;
  return proceed(e, c);
}

static struct result offered(struct evaluation *e, uint8_t factor, const struct conditions *c) {
  if (e->state != PRESENTING || !(askable(e, c) & factor) || e->in_flight & factor) return ignored;
  e->in_flight |= factor;
  return (struct result){ATTEMPT, factor, NONE};
}

static void missed(struct evaluation *e, uint8_t factor) {
  if (factor == BIOMETRY) {
    if (++e->misses >= e->misses_max) e->biometry_excluded = FAILED;
  } else if (++e->wrong_passcodes >= e->passcode_tries) {
    e->passcode_excluded = FAILED;
  }
}

static struct result judged(struct evaluation *e, uint8_t factor, bool is_proven,
                            const struct conditions *c) {
  if (e->state != PRESENTING || !(e->in_flight & factor)) return ignored;
  e->in_flight &= (uint8_t)~factor;
  e->judged++;
  if (is_proven) e->proven |= factor;
  else missed(e, factor);
  return proceed(e, c);
}

static struct result fallback(struct evaluation *e, const struct conditions *c) {
  if (e->state != PRESENTING || e->biometry_excluded != NONE || e->proven & BIOMETRY ||
      !(askable(e, c) & BIOMETRY))
    return ignored;
  e->biometry_excluded = FALLBACK;
  return proceed(e, c);
}

static struct result changed(struct evaluation *e, const struct conditions *c) {
  return e->state == PRESENTING ? proceed(e, c) : ignored;
}

static bool noted(struct result result) {
  switch (result.action) {
    case ENQUEUE: case IGNORE: note(result.action); return true;
    case PRESENT: case ATTEMPT: note(result.action + ((uint64_t)result.set << 8)); return true;
    case FINISH: note(5 + ((uint64_t)result.outcome << 8)); return false;
  }
  return false;
}

__attribute__((noinline)) static void evaluation_steps(long count) {
  static const struct requirement parts[] = {{FACTOR, BIOMETRY, 0, NULL}, {FACTOR, PASSCODE, 0, NULL}};
  static const struct requirement device_owner = {ANY_OF, 0, 2, parts};
  const struct evaluation fresh = {.requirement = &device_owner,
                                   .misses_max = 5,
                                   .passcode_tries = 3,
                                   .biometry_excluded = NONE,
                                   .passcode_excluded = NONE,
                                   .outcome = NONE};
  struct evaluation evaluation = fresh;
  bool is_under_way = false;
  for (long steps = 0; steps < count;) {
    steps++;
    uint64_t draw = next();
    struct conditions conditions = {(draw & 63) == 0 ? LOCKOUT : NONE,
                                    (draw & 127) == 1 ? THROTTLED : NONE};
    struct result result;
    if (!is_under_way) {
      evaluation = fresh;
      is_under_way = noted(begin(&evaluation, &conditions));
      if (!is_under_way) continue;
      result = armed(&evaluation, &conditions);
      steps++;
    } else {
      uint8_t factor = (draw >> 8 & 1) == 0 ? BIOMETRY : PASSCODE;
      switch (draw >> 16 & 7) {
        case 0: case 1: case 2: result = offered(&evaluation, factor, &conditions); break;
        case 3: case 4: result = judged(&evaluation, factor, false, &conditions); break;
        case 5: result = judged(&evaluation, factor, true, &conditions); break;
        case 6: result = fallback(&evaluation, &conditions); break;
        default: result = changed(&evaluation, &conditions);
      }
    }
    is_under_way = noted(result);
  }
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  long steps = atol(arguments[2]);
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (strcmp(arguments[1], "lockout") == 0) lockout_steps(steps);
  else evaluation_steps(steps);
  clock_gettime(CLOCK_MONOTONIC, &end);
  double nanoseconds =
      (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
  printf("%f %llx\n", nanoseconds / (double)steps, (unsigned long long)checksum);
}
