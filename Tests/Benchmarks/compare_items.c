// The keychain through the daemon: reads, durable additions, and others' calls beside a long list.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare.h"
#include "harness.h"
#include "twin.h"
#include "wire.h"

// MARK: Reading

/// A connection that asks for the data of one item after the other.
struct reader {
  struct wire wire;
  char request[1024];
  char *number;
  unsigned count;
};

/// Names another of the accounts from 1000 to 9999.
static void read_next(void *context) {
  struct reader *reader = context;
  unsigned number = 1000 + reader->count++ * 7919u % 9000;
  for (int i = 3; i >= 0; i--, number /= 10) reader->number[i] = (char)('0' + number % 10);
  wire_send(&reader->wire, reader->request);
  wire_receive(&reader->wire);
}

static void begin_reading(struct reader *reader, const char *device) {
  snprintf(reader->request, sizeof reader->request,
           "{\"method\":\"io.localauth.Keychain.Copy\",\"parameters\":{\"query\":{"
           "\"class\":\"genp\",\"acct\":\"account-1000\",\"svce\":\"org.example.bench\","
           "\"r_Data\":true},\"device\":\"%s\",\"allowSimulated\":true}}",
           device);
  reader->number = strstr(reader->request, "account-") + strlen("account-");
}

int compare_item(int count, char **arguments) {
  (void)count;
  static struct reader ours, theirs;
  struct twin twin = {0};
  wire_open(&ours.wire, arguments[0]);
  begin_reading(&ours, arguments[1]);
  begin_reading(&theirs, arguments[1]);
  wire_call(&ours.wire, ours.request, "\"data\":\"");
  pid_t server = twin_start(&twin, &theirs.wire, &ours.wire, ours.request);
  int processor = last_processor();
  pid_t daemon = atoi(arguments[2]);
  pin(daemon, processor);
  pin(server, processor);
  pin(0, processor);
  struct rounds rounds = interleave(15, 3000, read_next, &ours, read_next, &theirs);
  pin(daemon, -1);
  report(arguments[3], "us", 2.0, &rounds);
  kill(server, SIGKILL);
  return 0;
}

static void list_first(void *context) {
  struct reader *reader = context;
  wire_send(&reader->wire, reader->request);
  wire_receive(&reader->wire);
}

/// The oldest items of a service that thousands have, beside a server that sends the same answer.
int compare_first(int count, char **arguments) {
  (void)count;
  static struct reader ours, theirs;
  struct twin twin = {0};
  wire_open(&ours.wire, arguments[0]);
  snprintf(ours.request, sizeof ours.request,
           "{\"method\":\"io.localauth.Keychain.Copy\",\"parameters\":{\"query\":{"
           "\"class\":\"genp\",\"svce\":\"org.example.bench\",\"r_Data\":true,\"m_Limit\":%d},"
           "\"device\":\"%s\",\"allowSimulated\":true}}",
           atoi(arguments[3]), arguments[1]);
  memcpy(theirs.request, ours.request, sizeof theirs.request);
  wire_call(&ours.wire, ours.request, "\"data\":\"");
  pid_t server = twin_start(&twin, &theirs.wire, &ours.wire, ours.request);
  int processor = last_processor();
  pid_t daemon = atoi(arguments[2]);
  pin(daemon, processor);
  pin(server, processor);
  pin(0, processor);
  struct rounds rounds = interleave(15, 500, list_first, &ours, list_first, &theirs);
  pin(daemon, -1);
  report(arguments[4], "us", 20.0, &rounds);
  kill(server, SIGKILL);
  return 0;
}

int measure_reads(int count, char **arguments) {
  (void)count;
  static struct reader reader;
  wire_open(&reader.wire, arguments[0]);
  begin_reading(&reader, arguments[1]);
  wire_call(&reader.wire, reader.request, "\"data\":\"");
  double took = measure(read_next, &reader, atoi(arguments[2]));
  printf("%f 0\n", took * 1000);
  return 0;
}

// MARK: Adding

struct adder {
  struct wire wire;
  char request[1024];
  const char *device;
  unsigned count;
};

static void add_next(void *context) {
  struct adder *adder = context;
  snprintf(adder->request, sizeof adder->request,
           "{\"method\":\"io.localauth.Keychain.Add\",\"parameters\":{\"query\":{"
           "\"class\":\"genp\",\"acct\":\"added-%d-%06u\",\"svce\":\"org.example.bench\","
           "\"labl\":\"Example\"},\"data\":\"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\","
           "\"device\":\"%s\",\"allowSimulated\":true}}",
           getpid(), adder->count++, adder->device);
  wire_send(&adder->wire, adder->request);
  if (!strstr(wire_receive(&adder->wire), "\"status\":0")) fail("an item cannot be added");
}

/// A file that is written over and over, as a log is that was emptied.
struct raw {
  int file;
  off_t size, next;
  char *bytes;
  size_t count;
};

/// A page of SQLite's and the header before it in the log.
#define PAGE_SIZE 4096
#define HEADER_SIZE 24

static void write_at(const struct raw *raw, size_t count, off_t offset) {
  if (pwrite(raw->file, raw->bytes, count, offset) != (ssize_t)count)
    fail("a file cannot be written");
}

static void sync_next(struct raw *raw) {
  if (fdatasync(raw->file) != 0) fail("a file cannot be synced");
  raw->next += (off_t)raw->count;
  if (raw->next + (off_t)raw->count > raw->size) raw->next = 0;
}

/// All bytes of an addition at once.
static void write_once(void *context) {
  struct raw *raw = context;
  write_at(raw, raw->count, raw->next);
  sync_next(raw);
}

/// The pages of an addition, each after its header.
static void write_pages(void *context) {
  struct raw *raw = context;
  for (off_t done = 0; done < (off_t)raw->count; done += HEADER_SIZE + PAGE_SIZE) {
    write_at(raw, HEADER_SIZE, raw->next + done);
    write_at(raw, PAGE_SIZE, raw->next + done + HEADER_SIZE);
  }
  sync_next(raw);
}

/// Makes a file of 4 MiB for additions of `count` bytes.
static struct raw open_raw(const char *path, size_t count) {
  struct raw raw = {.count = count, .size = 4 << 20};
  raw.bytes = malloc(count);
  raw.file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (!raw.bytes || raw.file < 0) fail("%s cannot be written", path);
  memset(raw.bytes, 7, count);
  for (off_t i = 0; i < raw.size / PAGE_SIZE; i++) write_at(&raw, PAGE_SIZE, i * PAGE_SIZE);
  fsync(raw.file);
  return raw;
}

static void call_twin(void *context) {
  struct adder *adder = context;
  wire_send(&adder->wire, adder->request);
  wire_receive(&adder->wire);
}

static off_t size_of(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) fail("%s is not there", path);
  return status.st_size;
}

int compare_add(int count, char **arguments) {
  (void)count;
  static struct adder ours, theirs;
  char log[4096], path[4096];
  snprintf(log, sizeof log, "%s/state.sqlite-wal", arguments[2]);
  snprintf(path, sizeof path, "%s/raw", arguments[3]);
  wire_open(&ours.wire, arguments[0]);
  ours.device = arguments[1];
  // The log grows from its beginning after a start, until it is first emptied.
  add_next(&ours);
  off_t before = size_of(log);
  // Which pages an addition touches is chance, so that a few say little.
  int additions = 128;
  for (int i = 0; i < additions; i++) add_next(&ours);
  size_t frame = HEADER_SIZE + PAGE_SIZE;
  size_t all = (size_t)(size_of(log) - before) / frame;
  size_t pages = (all + (size_t)additions / 2) / (size_t)additions;
  printf("%-50s %zu pages\n", "an addition writes to the log", pages);
  // Then to its full size, after which it is written over, as a log mostly is.
  while (size_of(log) < 4096 * (off_t)frame) add_next(&ours);
  struct raw raw = open_raw(path, pages * frame);
  snprintf(theirs.request, sizeof theirs.request, "%s", ours.request);
  struct twin twin = {0};
  pid_t server = twin_start_as(&twin, &theirs.wire, "{\"parameters\":{}}", theirs.request,
                               write_pages, &raw);
  struct rounds rounds = interleave(15, 60, add_next, &ours, call_twin, &theirs);
  report("durable add / C round trip, pages and fdatasync", "us", 1.7, &rounds);
  kill(server, SIGKILL);
  rounds = interleave(15, 60, add_next, &ours, write_once, &raw);
  report("durable add / one raw write and fdatasync", "us", 1.7, &rounds);
  return 0;
}

int measure_bytes(int count, char **arguments) {
  (void)count;
  double bytes = (double)size_of(arguments[0]) / atof(arguments[1]);
  report_size(arguments[2], "bytes", 1024, bytes);
  return 0;
}

// MARK: A long list

struct lister {
  const char *socket, *device;
  atomic_bool isDone;
  long items, pages;
  double took;
};

/// Lists everything in answers as long as the daemon makes them.
static void *list(void *context) {
  struct lister *lister = context;
  static struct wire wire;
  wire_open(&wire, lister->socket);
  char request[1024], next[128] = "";
  double start = now_us();
  do {
    char after[160] = "";
    if (*next) snprintf(after, sizeof after, "\"after\":\"%s\",", next);
    snprintf(request, sizeof request,
             "{\"method\":\"io.localauth.Keychain.Copy\",\"parameters\":{\"query\":{"
             "\"class\":\"genp\",\"r_Attributes\":true,\"m_Limit\":\"m_LimitAll\"},%s"
             "\"device\":\"%s\",\"allowSimulated\":true}}",
             after, lister->device);
    wire_send(&wire, request);
    const char *reply = wire_receive(&wire);
    for (const char *item = reply; (item = strstr(item, "\"identifier\":")); item++) lister->items++;
    lister->pages++;
    if (!wire_text(reply, "next", next, sizeof next)) *next = 0;
  } while (*next);
  lister->took = now_us() - start;
  wire_close(&wire);
  atomic_store(&lister->isDone, true);
  return NULL;
}

static int ascending(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

int compare_list(int count, char **arguments) {
  (void)count;
  struct lister lister = {.socket = arguments[0], .device = arguments[1]};
  static struct wire wire;
  char request[512];
  snprintf(request, sizeof request,
           "{\"method\":\"io.localauth.Authentication.CanEvaluate\",\"parameters\":{"
           "\"policy\":\"biometrics\",\"device\":\"%s\",\"allowSimulated\":true}}",
           arguments[1]);
  wire_open(&wire, arguments[0]);
  wire_call(&wire, request, "\"");
  pthread_t thread;
  pthread_create(&thread, NULL, list, &lister);
  static double waits[1 << 20];
  int calls = 0;
  while (!atomic_load(&lister.isDone) && calls < 1 << 20) {
    double start = now_us();
    wire_call(&wire, request, "\"");
    waits[calls++] = now_us() - start;
    usleep(1000);
  }
  pthread_join(thread, NULL);
  qsort(waits, (size_t)calls, sizeof *waits, ascending);
  printf("%ld items in %ld answers, %.0f ms; %d calls beside it: half within %.1f ms, the worst %.1f ms\n",
         lister.items, lister.pages, lister.took / 1000, calls, waits[calls / 2] / 1000,
         waits[calls - 1] / 1000);
  report_size(arguments[2], "ms", 20.0, waits[calls - 1 - calls / 100] / 1000);
  return 0;
}
