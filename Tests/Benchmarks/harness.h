// Clock, samples, processor placement and the report of a comparison.
#pragma once
#include <stdint.h>
#include <sys/types.h>

/// The most rounds of one comparison.
#define ROUNDS_MAX 64

/// What two ways of doing the same took in each round, in microseconds for one operation.
struct rounds {
  int count;
  double ours[ROUNDS_MAX];
  double theirs[ROUNDS_MAX];
};

/// One operation, or a batch; `context` is the caller's.
typedef void (*operation)(void *context);

/// Ends the process with a message: a benchmark that cannot run has no figure.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

double now_us(void);

/// How long a call of `body` takes at best and on average over `batch` calls, in microseconds.
double measure(operation body, void *context, int batch);

/// Alternates between both, `rounds` times `batch` calls each, after a batch of each to warm up.
struct rounds interleave(int rounds, int batch, operation ours, void *ours_context,
                         operation theirs, void *theirs_context);

/// Appends the comparison to the file named by BENCH_LINES and prints its line of the table.
/// `limit` is what the ratio may be at most.
void report(const char *name, const char *unit, double limit, const struct rounds *rounds);

/// The same for a single figure.
void report_size(const char *name, const char *unit, double limit, double value);

/// Keeps a process and all its threads, or the caller (0), on one processor; -1 lets it run anywhere.
void pin(pid_t process, int processor);

/// The last processor there is: interrupts tend to be handled by the first.
int last_processor(void);
