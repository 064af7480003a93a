// What step-up costs: an answer of a grant, an assertion, polkit's answer, and the PAM module.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <openssl/evp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caller.h"
#include "commands.h"
#include "compare.h"
#include "harness.h"
#include "twin.h"
#include "wire.h"

/// Writes a request that a grant answers, with further parameters.
static void wish(struct caller *caller, const char *socket, const char *device, const char *more,
                 const char *end) {
  wire_open(&caller->wire, socket);
  snprintf(caller->request, sizeof caller->request,
           "{\"method\":\"io.localauth.Authentication.Evaluate\",\"parameters\":{"
           "\"policy\":\"biometrics\",\"reason\":\"measure\",\"action\":\"measure a grant\","
           "\"device\":\"%s\",\"allowSimulated\":true,\"maxAgeSeconds\":300%s}%s}",
           device, more, end);
}

/// Has the device approve what `more` says, so that requests with the same are answered by a grant.
static void approve(const char *socket, const char *device, const char *more) {
  struct caller caller;
  char parameters[512];
  snprintf(parameters, sizeof parameters, "%s,\"script\":\"match\"", more);
  wish(&caller, socket, device, parameters, ",\"more\":true");
  call(&caller);
  close(caller.wire.socket);
}

#define BY_GRANT "\"method\":\"grant\""

int compare_grant(int count, char **arguments) {
  (void)count;
  static struct caller ours, theirs;
  struct twin script = {0};
  approve(arguments[0], arguments[1], "");
  wish(&ours, arguments[0], arguments[1], "", "");
  wire_call(&ours.wire, ours.request, BY_GRANT);
  memcpy(theirs.request, ours.request, sizeof ours.request);
  pid_t twin = twin_start(&script, &theirs.wire, &ours.wire, ours.request);
  int processor = last_processor();
  pid_t daemon = atoi(arguments[2]);
  pin(daemon, processor);
  pin(twin, processor);
  pin(0, processor);
  struct rounds rounds = interleave(15, 3000, call, &ours, call, &theirs);
  pin(daemon, -1);
  wire_call(&ours.wire, ours.request, BY_GRANT);
  report("evaluate by a grant / C ping-pong, same core", "us", 2.0, &rounds);
  kill(twin, SIGKILL);
  return 0;
}

// MARK: Assertions

struct signer {
  EVP_PKEY *key;
  EVP_MD_CTX *context;
  unsigned char message[512];
};

static void sign(void *context) {
  struct signer *signer = context;
  unsigned char signature[64];
  size_t length = sizeof signature;
  if (EVP_DigestSignInit(signer->context, NULL, NULL, NULL, signer->key) != 1 ||
      EVP_DigestSign(signer->context, signature, &length, signer->message,
                     sizeof signer->message) != 1)
    fail("libcrypto does not sign");
}

int compare_minting(int count, char **arguments) {
  (void)count;
  static struct caller with, without;
  static struct signer signer;
  const char *audience =
      ",\"assertion\":{\"audience\":\"https://bench.example\",\"nonce\":\"8c2f5b1d\"}";
  approve(arguments[0], arguments[1], "");
  approve(arguments[0], arguments[1], audience);
  wish(&without, arguments[0], arguments[1], "", "");
  wish(&with, arguments[0], arguments[1], audience, "");
  wire_call(&with.wire, with.request, "\"assertion\":\"ey");
  signer.key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
  signer.context = EVP_MD_CTX_new();
  int processor = last_processor();
  pid_t daemon = atoi(arguments[2]);
  pin(daemon, processor);
  pin(0, processor);
  struct rounds rounds = {.count = 15};
  for (int i = 0; i < rounds.count; i++) {
    double signing = measure(call, &with, 1500);
    rounds.ours[i] = signing - measure(call, &without, 1500);
    rounds.theirs[i] = measure(sign, &signer, 1500);
  }
  pin(daemon, -1);
  report("an assertion, beyond its grant / Ed25519 sign", "us", 1.5, &rounds);
  return 0;
}

// MARK: polkit

/// What of libdbus is used, by its documentation, so that nobody needs its headers:
/// https://dbus.freedesktop.org/doc/api/html/
static struct {
  void *(*bus_get)(int type, void *error);
  void *(*new_call)(const char *destination, const char *path, const char *interface,
                    const char *method);
  void (*append)(void *message, void *iterator);
  uint32_t (*append_basic)(void *iterator, int type, const void *value);
  uint32_t (*open)(void *iterator, int type, const char *signature, void *inner);
  uint32_t (*close)(void *iterator, void *inner);
  void *(*send)(void *connection, void *message, int milliseconds, void *error);
  int (*type)(void *message);
  void (*unref)(void *message);
} dbus;

/// Room for an iterator of the library's, which is of 72 bytes.
typedef union {
  uint64_t words[32];
} iterator;

static void load(void) {
  void *library = dlopen("libdbus-1.so.3", RTLD_NOW);
  if (!library) fail("libdbus is not installed");
  const char *names[] = {
      "dbus_bus_get", "dbus_message_new_method_call", "dbus_message_iter_init_append",
      "dbus_message_iter_append_basic", "dbus_message_iter_open_container",
      "dbus_message_iter_close_container", "dbus_connection_send_with_reply_and_block",
      "dbus_message_get_type", "dbus_message_unref"};
  void **functions = (void **)&dbus;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!(functions[i] = dlsym(library, names[i]))) fail("libdbus has no %s", names[i]);
}

/// Appends an entry of a dictionary of variants: a text and an unsigned number.
static void append_number(void *dictionary, const char *name, int type, const char *signature,
                          uint64_t number) {
  iterator entry, variant;
  dbus.open(dictionary, 'e', NULL, &entry);
  dbus.append_basic(&entry, 's', &name);
  dbus.open(&entry, 'v', signature, &variant);
  dbus.append_basic(&variant, type, &number);
  dbus.close(&entry, &variant);
  dbus.close(dictionary, &entry);
}

/// When this process began, in ticks since boot: the 22nd field, counted behind the name.
static uint64_t start_time(void) {
  char text[1024];
  FILE *file = fopen("/proc/self/stat", "r");
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[length] = 0;
  char *field = strrchr(text, ')');
  for (int i = 2; field && i < 22; i++) field = strchr(field + 1, ' ');
  return field ? strtoull(field, NULL, 10) : 0;
}

/// Asks whether this process may do an action of polkit's own, without asking anybody.
static void check_authorization(void *connection) {
  static uint64_t started;
  if (!started) started = start_time();
  void *message = dbus.new_call("org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
                                "org.freedesktop.PolicyKit1.Authority", "CheckAuthorization");
  iterator all, subject, details;
  const char *kind = "unix-process", *action = "org.freedesktop.policykit.exec", *none = "";
  uint32_t flags = 0;
  dbus.append(message, &all);
  dbus.open(&all, 'r', NULL, &subject);
  dbus.append_basic(&subject, 's', &kind);
  dbus.open(&subject, 'a', "{sv}", &details);
  append_number(&details, "pid", 'u', "u", (uint64_t)getpid());
  append_number(&details, "start-time", 't', "t", started);
  dbus.close(&subject, &details);
  dbus.close(&all, &subject);
  dbus.append_basic(&all, 's', &action);
  dbus.open(&all, 'a', "{ss}", &details);
  dbus.close(&all, &details);
  dbus.append_basic(&all, 'u', &flags);
  dbus.append_basic(&all, 's', &none);
  void *reply = dbus.send(connection, message, 10000, NULL);
  dbus.unref(message);
  // 2 is the type of a reply that is no error.
  if (!reply || dbus.type(reply) != 2) fail("polkit does not answer");
  dbus.unref(reply);
}

int compare_polkit(int count, char **arguments) {
  (void)count;
  static struct caller ours;
  load();
  // 1 is the bus of the system, which the environment names.
  void *connection = dbus.bus_get(1, NULL);
  if (!connection) fail("there is no bus");
  approve(arguments[0], arguments[1], "");
  wish(&ours, arguments[0], arguments[1], "", "");
  wire_call(&ours.wire, ours.request, BY_GRANT);
  struct rounds rounds = interleave(9, 300, call, &ours, check_authorization, connection);
  report("evaluate by a grant / polkit CheckAuthorization", "us", 0.02, &rounds);
  return 0;
}

// MARK: The PAM module

int compare_module(int count, char **arguments) {
  (void)count;
  static struct caller touch;
  char *ours[] = {"/usr/bin/pamtester", arguments[2], arguments[4], "authenticate", NULL};
  char *theirs[] = {"/usr/bin/pamtester", arguments[3], arguments[4], "authenticate", NULL};
  wire_open(&touch.wire, arguments[0]);
  snprintf(touch.request, sizeof touch.request,
           "{\"method\":\"io.localauth.Authentication.Evaluate\",\"parameters\":{"
           "\"user\":%s,\"policy\":\"biometrics\",\"reason\":\"measure\",\"device\":\"%s\","
           "\"allowSimulated\":true},\"more\":true}",
           arguments[5], arguments[1]);
  struct rounds rounds = {.count = 15};
  for (int i = -1; i < rounds.count; i++) {
    double whole = measure(command_run, ours, 20);
    double evaluation = measure(call, &touch, 20);
    double permit = measure(command_run, theirs, 20);
    if (i < 0) continue;
    rounds.ours[i] = whole - evaluation;
    rounds.theirs[i] = permit;
  }
  report("pamtester, pam_localauth beyond the touch / permit", "us", 1.3, &rounds);
  return 0;
}
