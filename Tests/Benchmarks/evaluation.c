#include "evaluation.h"

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

static uint8_t usable(const struct evaluation *e, const struct conditions *c) {
  return (c->biometry == NONE && e->biometry_excluded == NONE ? BIOMETRY : 0) |
         (c->passcode == NONE && e->passcode_excluded == NONE ? PASSCODE : 0);
}

static bool is_cured_by_passcode(const struct evaluation *e, const struct conditions *c) {
  uint8_t set = usable(e, c);
  return c->needs_passcode_first && e->biometry_excluded == NONE && set & PASSCODE &&
         !(e->proven & PASSCODE) && factors(e->requirement) & PASSCODE &&
         !is_reachable(e->requirement, e->proven, set) &&
         is_reachable(e->requirement, e->proven, set | BIOMETRY);
}

static uint8_t askable(const struct evaluation *e, const struct conditions *c) {
  if (is_cured_by_passcode(e, c)) return PASSCODE;
  return next_factor(e->requirement, e->proven, usable(e, c));
}

static enum outcome reason(enum outcome condition, enum outcome exclusion) {
  if (exclusion == FALLBACK) return exclusion;
  return condition != NONE ? condition : exclusion != NONE ? exclusion : FAILED;
}

static enum outcome refusal(const struct evaluation *e, const struct conditions *c) {
  if (e->needs_passcode_set && !c->is_passcode_set) return PASSCODE_NOT_SET;
  if (is_cured_by_passcode(e, c)) return NONE;
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

struct result evaluation_begin(struct evaluation *e, const struct conditions *c) {
  if (e->state != IDLE) return ignored;
  if (c->is_unlock_reusable && c->biometry == NONE) e->proven = BIOMETRY;
  if (is_met(e->requirement, e->proven)) return finish(e, SUCCESS);
  enum outcome refused = refusal(e, c);
  if (refused != NONE) return finish(e, refused);
  e->state = WAITING;
  return (struct result){ENQUEUE, 0, NONE};
}

struct result evaluation_armed(struct evaluation *e, const struct conditions *c) {
  if (e->state != WAITING) return ignored;
  e->state = PRESENTING;
  return proceed(e, c);
}

struct result evaluation_offered(struct evaluation *e, uint8_t factor, const struct conditions *c) {
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

struct result evaluation_judged(struct evaluation *e, uint8_t factor, bool is_proven,
                            const struct conditions *c) {
  if (e->state != PRESENTING || !(e->in_flight & factor)) return ignored;
  e->in_flight &= (uint8_t)~factor;
  e->judged++;
  if (is_proven) e->proven |= factor;
  else missed(e, factor);
  return proceed(e, c);
}

struct result evaluation_fallback(struct evaluation *e, const struct conditions *c) {
  if (e->state != PRESENTING || e->biometry_excluded != NONE || e->proven & BIOMETRY ||
      !(askable(e, c) & BIOMETRY))
    return ignored;
  e->biometry_excluded = FALLBACK;
  return proceed(e, c);
}

struct result evaluation_changed(struct evaluation *e, const struct conditions *c) {
  return e->state == PRESENTING ? proceed(e, c) : ignored;
}
