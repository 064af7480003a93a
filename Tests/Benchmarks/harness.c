#define _GNU_SOURCE
#include "harness.h"

#include <dirent.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

_Noreturn void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("compare: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

double measure(operation body, void *context, int batch) {
  double start = now_us();
  for (int i = 0; i < batch; i++) body(context);
  return (now_us() - start) / batch;
}

struct rounds interleave(int count, int batch, operation ours, void *ours_context,
                         operation theirs, void *theirs_context) {
  struct rounds rounds = {.count = count < ROUNDS_MAX ? count : ROUNDS_MAX};
  measure(ours, ours_context, batch);
  measure(theirs, theirs_context, batch);
  for (int i = 0; i < rounds.count; i++) {
    rounds.ours[i] = measure(ours, ours_context, batch);
    rounds.theirs[i] = measure(theirs, theirs_context, batch);
  }
  return rounds;
}

static int ascending(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

static double lowest(const double *values, int count) {
  double least = values[0];
  for (int i = 1; i < count; i++)
    if (values[i] < least) least = values[i];
  return least;
}

static double median(const double *values, int count) {
  double sorted[ROUNDS_MAX];
  memcpy(sorted, values, sizeof *values * (size_t)count);
  qsort(sorted, (size_t)count, sizeof *sorted, ascending);
  return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static FILE *lines(void) {
  const char *path = getenv("BENCH_LINES");
  FILE *file = fopen(path ? path : "/dev/null", "a");
  if (!file) fail("%s cannot be written", path);
  return file;
}

void report(const char *name, const char *unit, double limit, const struct rounds *rounds) {
  double ratios[ROUNDS_MAX];
  for (int i = 0; i < rounds->count; i++) ratios[i] = rounds->ours[i] / rounds->theirs[i];
  double ours = lowest(rounds->ours, rounds->count);
  double theirs = lowest(rounds->theirs, rounds->count);
  double best = ours / theirs, middle = median(ratios, rounds->count);
  const char *verdict = best <= limit ? "met" : "MISSED";
  printf("%-50s %6.2fx %6.2fx %6.2fx  %-6s %10.2f %10.2f %s\n", name, best, middle, limit, verdict,
         ours, theirs, unit);
  fflush(stdout);
  FILE *file = lines();
  fprintf(file,
          "{\"name\": \"%s\", \"limit\": %g, \"best\": %.4f, \"median\": %.4f, \"met\": %s, "
          "\"unit\": \"%s\", \"rounds\": %d, \"ours\": {\"best\": %.4f, \"median\": %.4f}, "
          "\"theirs\": {\"best\": %.4f, \"median\": %.4f}}\n",
          name, limit, best, middle, best <= limit ? "true" : "false", unit, rounds->count, ours,
          median(rounds->ours, rounds->count), theirs, median(rounds->theirs, rounds->count));
  fclose(file);
}

void report_size(const char *name, const char *unit, double limit, double value) {
  printf("%-50s %38s %-6s %10.2f %10.2f %s\n", name, "", value <= limit ? "met" : "MISSED", value,
         limit, unit);
  fflush(stdout);
  FILE *file = lines();
  fprintf(file, "{\"name\": \"%s\", \"limit\": %g, \"value\": %.4f, \"met\": %s, \"unit\": \"%s\"}\n",
          name, limit, value, value <= limit ? "true" : "false", unit);
  fclose(file);
}

int last_processor(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  int last = 0;
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &set)) last = i;
  return last;
}

void pin(pid_t process, int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (processor >= 0) CPU_SET(processor, &set);
  else
    for (long i = 0; i < sysconf(_SC_NPROCESSORS_CONF); i++) CPU_SET(i, &set);
  if (process == 0) {
    sched_setaffinity(0, sizeof set, &set);
    return;
  }
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *tasks = opendir(path);
  if (!tasks) fail("process %d is gone", process);
  for (struct dirent *task; (task = readdir(tasks));)
    if (task->d_name[0] != '.') sched_setaffinity(atoi(task->d_name), sizeof set, &set);
  closedir(tasks);
}
