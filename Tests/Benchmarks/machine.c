// The machines in C at full speed, for the comparison with those of LocalAuthCore: the same events,
// drawn by the same generator, and the same checksum. The machines are files of their own, as a
// library is: what a profile and a policy say is data to them, not known to the compiler.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "evaluation.h"
#include "lockout.h"

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

static const struct row rows[] = {
    {5, 5, 30000000000, 0}, {10, 10, 60000000000, 0}, {15, 15, 120000000000, 5}};
static const struct table android = {rows, 3, 20};

__attribute__((noinline)) static void lockout_steps(long count) {
  struct lockout lockout = {{0}, &android, NULL};
  int64_t now = 0, remaining = 0;
  for (long i = 0; i < count; i++) {
    uint64_t draw = next();
    now += (int64_t)(draw & 0x3FFFFFFF);
    struct moment moment = {now, {1, 2, 0}, 0};
    switch (lockout_charge(&lockout, &moment, &remaining)) {
      case OPEN:
        if ((draw >> 32 & 15) == 0) lockout_matched(&lockout);
        note(lockout.tally.failures);
        break;
      case REFUSED:
        note((uint64_t)remaining);
        if ((draw >> 40 & 3) == 0) now += remaining;
        break;
      case LOCKED:
        note(99);
        if ((draw >> 44 & 3) == 0) lockout_passcode_proven(&lockout);
    }
  }
}

// MARK: Evaluation

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
                                   .needs_passcode_set = true,
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
                                    (draw & 127) == 1 ? THROTTLED : NONE,
                                    false, true, false};
    struct result result;
    if (!is_under_way) {
      evaluation = fresh;
      is_under_way = noted(evaluation_begin(&evaluation, &conditions));
      if (!is_under_way) continue;
      result = evaluation_armed(&evaluation, &conditions);
      steps++;
    } else {
      uint8_t factor = (draw >> 8 & 1) == 0 ? BIOMETRY : PASSCODE;
      switch (draw >> 16 & 7) {
        case 0: case 1: case 2: result = evaluation_offered(&evaluation, factor, &conditions); break;
        case 3: case 4: result = evaluation_judged(&evaluation, factor, false, &conditions); break;
        case 5: result = evaluation_judged(&evaluation, factor, true, &conditions); break;
        case 6: result = evaluation_fallback(&evaluation, &conditions); break;
        default: result = evaluation_changed(&evaluation, &conditions);
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
