// The login loop of LocalAuthAnalysis in C, for the comparison: policy device-owner, lockout profile three-strikes, passcode
// delays apple, the standard sensor and habits. The same draws by the same addresses, so the same counts.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "evaluation.h"
#include "lockout.h"

// MARK: Draws

struct stream {
  uint32_t key[2], a, b, c, d;
  bool has_kept;
  uint64_t kept;
};

static struct stream stream_of(uint64_t seed, uint32_t purpose, uint32_t user, uint32_t day, uint32_t event) {
  return (struct stream){{(uint32_t)seed, (uint32_t)(seed >> 32)}, purpose << 24, event, day, user, false, 0};
}

static uint64_t next(struct stream *s) {
  if (s->has_kept) {
    s->has_kept = false;
    return s->kept;
  }
  uint32_t k0 = s->key[0], k1 = s->key[1], a = s->a, b = s->b, c = s->c, d = s->d;
  for (int round = 0; round < 10; round++) {
    uint64_t first = 0xD2511F53ull * a, second = 0xCD9E8D57ull * c;
    a = (uint32_t)(second >> 32) ^ b ^ k0;
    b = (uint32_t)second;
    c = (uint32_t)(first >> 32) ^ d ^ k1;
    d = (uint32_t)first;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  s->a = (s->a & 0xFF000000) | ((s->a + 1) & 0x00FFFFFF);
  s->kept = (uint64_t)d << 32 | c;
  s->has_kept = true;
  return (uint64_t)b << 32 | a;
}

static double uniform(struct stream *s) { return ((double)(next(s) >> 12) + 0.5) * 0x1p-52; }
static bool happens(struct stream *s, double p) { return uniform(s) < p; }

static double ratio(const double *above, const double *below, double r) {
  double n = above[7], d = below[7];
  for (int i = 6; i >= 0; i--) {
    n = n * r + above[i];
    d = d * r + below[i];
  }
  return n / d;
}

// AS 241, PPND16.
static double quantile(double p) {
  static const double a[] = {3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3,
    1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4,
    2.5090809287301226727e3};
  static const double b[] = {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
    2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3};
  static const double c[] = {1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550,
    3.64784832476320460504, 1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2,
    7.74545014278341407640e-4};
  static const double d[] = {1, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1,
    1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
    1.05075007164441684324e-9};
  static const double e[] = {6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580,
    2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
    2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[] = {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
    1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
    1.42151175831644588870e-7, 2.04426310338993978564e-15};
  double q = p - 0.5;
  if (fabs(q) <= 0.425) return q * ratio(a, b, 0.180625 - q * q) ;
  double r = sqrt(-log(q < 0 ? p : 1 - p));
  double size = r <= 5 ? ratio(c, d, r - 1.6) : ratio(e, f, r - 5);
  return q < 0 ? -size : size;
}

// MARK: The device

static const int64_t second = 1000000000, hour = 3600 * second;
static const struct table three_strikes = {NULL, 0, 3};
static const struct row apple_rows[] = {{4, 4, 60 * second, 0}, {5, 5, 300 * second, 0},
  {6, 6, 900 * second, 0}, {7, 7, 3600 * second, 0}, {8, 8, 10800 * second, 0}, {9, 9, 28800 * second, 0}};
static const struct table apple = {apple_rows, 6, 10};
static const struct boot boot = {0, 1, 0};

struct person {
  bool has_finger, is_impaired, has_matched;
  double margin, noise;
  int64_t passcode_at, match_at;
  struct lockout fingers, passcodes;
};

static struct {
  uint64_t presentations, judged, rejected, fallbacks, denied, lockouts, nanoseconds;
} counts;

static struct moment at(int64_t now) { return (struct moment){now, boot, now / 1000000}; }

static bool is_refused(const struct tally *t, int64_t now) { return t->is_refused && now - t->start < t->length; }

static bool needs_passcode(const struct person *p, int64_t now) {
  int64_t passcode = now - p->passcode_at, match = now - p->match_at;
  int64_t any = p->has_matched && match < passcode ? match : passcode;
  if (any > 48 * hour) return true;
  if (passcode <= 156 * hour) return false;
  return !p->has_matched || match > 4 * hour;
}

static struct conditions conditions_of(const struct person *p, int64_t now) {
  struct conditions c = {NONE, NONE, false, true, false};
  if (!p->has_finger) c.biometry = FAILED;
  else if (p->fingers.tally.failures >= 3 || is_refused(&p->fingers.tally, now)) c.biometry = LOCKOUT;
  else if (needs_passcode(p, now)) {
    c.biometry = LOCKOUT;
    c.needs_passcode_first = true;
  }
  if (p->passcodes.tally.failures >= 10 || is_refused(&p->passcodes.tally, now)) c.passcode = THROTTLED;
  return c;
}

// A finger is impaired a twentieth of the time, for ten minutes on average.
struct step {
  double worsening, recovering;
};

static struct step step_over(double seconds) {
  double forgotten = -expm1(-1.0 / 600 / 0.95 * seconds);
  return (struct step){0.05 * forgotten, 0.95 * forgotten};
}

static void change(struct person *p, struct step step, struct stream *s) {
  p->is_impaired = happens(s, p->is_impaired ? step.recovering : step.worsening) != p->is_impaired;
}

static struct {
  struct step presenting, typing, pause, night;
} steps;

static double impairment(void) { return quantile(0.01) - quantile(0.40); }

static double cumulative(double x) { return 0.5 * erfc(-x * 0.707106781186547524); }

// The margin of a good finger whose mean over both states is that of `margin`.
static double calibrated(double margin, double noise) {
  double stated = margin / noise, wanted = cumulative(-stated), low = stated, high = stated - impairment();
  for (;;) {
    double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) return middle * noise;
    double miss = 0.95 * cumulative(-middle) + 0.05 * cumulative(-middle - impairment());
    if (miss > wanted) low = middle;
    else high = middle;
  }
}

static bool present(struct person *p, struct stream *s, int64_t *now, bool *is_judged) {
  bool failed = happens(s, 0.01), suspected = happens(s, 0.01);
  double score = p->margin + (p->is_impaired ? p->noise * impairment() : 0) + p->noise * quantile(uniform(s));
  static double spread;
  if (spread == 0) spread = log(2.5) / quantile(0.95);
  double factor = exp(spread * quantile(uniform(s)));
  *now += (int64_t)((factor < 9000 ? factor : 9000) * 0.4e9);
  change(p, steps.presenting, s);
  counts.presentations++;
  *is_judged = !failed;
  return !failed && !suspected && score >= 0;
}

__attribute__((noinline)) static void log_in(struct person *p, struct stream *s, int64_t start) {
  static const struct requirement parts[] = {{FACTOR, BIOMETRY, 0, NULL}, {FACTOR, PASSCODE, 0, NULL}};
  static const struct requirement device_owner = {ANY_OF, 0, 2, parts};
  static const struct evaluation fresh = {.requirement = &device_owner, .needs_passcode_set = true,
    .misses_max = UINT32_MAX, .passcode_tries = 3, .biometry_excluded = NONE, .passcode_excluded = NONE,
    .outcome = NONE};
  int64_t now = start, remaining;
  bool is_first = true, is_matched = false, is_typed = false, is_accepted = false;
  unsigned fingers = 0;
  for (int left = 3; left > 0; left--) {
    struct evaluation e = fresh;
    struct conditions c = conditions_of(p, now);
    struct result r = evaluation_begin(&e, &c);
    if (r.action == ENQUEUE) r = evaluation_armed(&e, &c);
    while (r.action == PRESENT) {
      uint8_t factor = r.set & BIOMETRY ? BIOMETRY : PASSCODE;
      struct moment moment = at(now);
      evaluation_offered(&e, factor, &c);
      bool is_right, is_judged = false;
      if (factor == BIOMETRY) {
        lockout_charge(&p->fingers, &moment, &remaining);
        do is_right = present(p, s, &now, &is_judged);
        while (!is_judged);
        fingers++;
        counts.judged++;
        if (is_right) {
          lockout_matched(&p->fingers);
          is_matched = p->has_matched = true;
          p->match_at = now;
        }
      } else {
        lockout_charge(&p->passcodes, &moment, &remaining);
        now += 4 * second;
        change(p, steps.typing, s);
        is_right = !happens(s, 0.03);
        is_typed = true;
        if (is_right) {
          lockout_passcode_proven(&p->passcodes);
          lockout_passcode_proven(&p->fingers);
          p->passcode_at = now;
        }
      }
      c = conditions_of(p, now);
      if (factor == BIOMETRY && !is_right && p->fingers.tally.failures >= 3) counts.lockouts++;
      r = evaluation_judged(&e, factor, is_right, &c);
    }
    if (is_first) counts.rejected += fingers > 0 && !is_matched;
    is_first = false;
    if (e.outcome == SUCCESS) {
      is_accepted = true;
      break;
    }
    if (e.outcome == THROTTLED) {
      const struct tally *t = &p->passcodes.tally;
      if (t->failures >= 10 || t->start + t->length - now > 60 * second) break;
      int64_t end = t->start + t->length;
      change(p, step_over((double)(end - now) * 1e-9), s);
      now = end;
    }
  }
  counts.fallbacks += is_typed;
  counts.denied += !is_accepted;
  if (is_accepted) counts.nanoseconds += (uint64_t)(now - start);
}

static void live(uint32_t user, uint64_t seed, uint32_t days) {
  struct stream s = stream_of(seed, 0, user, 0, 0), enrolment = stream_of(seed, 1, user, 0, 0),
                settling = stream_of(seed, 6, user, 0, 0);
  double threshold = -quantile(2e-5);
  double miss = 0.5 * erfc(-(threshold - 6.17) * 0.707106781186547524);
  struct person p = {.margin = -quantile(miss) + sqrt(0.5) * quantile(uniform(&s)), .noise = sqrt(0.5),
    .fingers = {{0}, &three_strikes, NULL}, .passcodes = {{0}, &apple, NULL}};
  p.has_finger = !happens(&enrolment, 0.005);
  p.margin = calibrated(p.margin, p.noise);
  p.is_impaired = happens(&settling, 0.05);
  int64_t step = 17 * hour / 10;
  for (uint32_t day = 0; day < days; day++)
    for (uint32_t event = 0; event < 10; event++) {
      struct stream login = stream_of(seed, 2, user, day, event);
      log_in(&p, &login, (int64_t)day * 24 * hour + 6 * hour + step * event + step / 2);
      change(&p, event < 9 ? steps.pause : steps.night, &login);
    }
}

int main(int count, char **arguments) {
  long logins = count > 2 ? atol(arguments[2]) : 1000000;
  uint32_t users = (uint32_t)(logins / 3650);
  double spread = log(2.5) / quantile(0.95);
  steps.presenting = step_over(0.4 * exp(spread * spread / 2));
  steps.typing = step_over(4);
  steps.pause = step_over(17 * 3600 / 10);
  steps.night = step_over(24 * 3600 - 9 * 17 * 3600 / 10);
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (uint32_t user = 0; user < users; user++) live(user, 1, 365);
  clock_gettime(CLOCK_MONOTONIC, &end);
  double nanoseconds = (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
  uint64_t sum = 0, all[] = {counts.presentations, counts.judged, counts.rejected, counts.fallbacks,
                             counts.denied, counts.lockouts};
  for (int i = 0; i < 6; i++) sum = sum * 1000003 + all[i];
  printf("%f %llx\n", nanoseconds / (double)(users * 3650ull), (unsigned long long)sum);
}
