// Looks one password up through libsecret, again and again over one connection.
//
// usage: keyring COUNT    prints nanoseconds for one lookup and the sum of the passwords' lengths
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

/// The library's own declarations, so that nobody needs its headers:
/// https://gnome.pages.gitlab.gnome.org/libsecret/struct.Schema.html
struct schema {
  const char *name;
  int flags;
  struct {
    const char *name;
    int type;
  } attributes[32];
  int reserved;
  void *more[7];
};

/// Attributes that are not in the schema, such as secret-tool's, are compared by the others alone.
#define DONT_MATCH_NAME 2

int main(int count, char **arguments) {
  void *library = dlopen("libsecret-1.so.0", RTLD_NOW);
  if (count != 2 || !library) fail("libsecret is not installed");
  char *(*lookup)(const struct schema *, void *, void **, ...) =
      (char *(*)(const struct schema *, void *, void **, ...))dlsym(library, "secret_password_lookup_sync");
  void (*release)(char *) = (void (*)(char *))dlsym(library, "secret_password_free");
  if (!lookup || !release) fail("libsecret is another library than expected");
  struct schema schema = {
      .name = "org.example.bench",
      .flags = DONT_MATCH_NAME,
      .attributes = {{"service", 0}, {"account", 0}},
  };
  int lookups = atoi(arguments[1]);
  unsigned long sum = 0;
  double start = 0;
  for (int i = -10; i < lookups; i++) {
    if (i == 0) start = now_us();
    void *error = NULL;
    char *password = lookup(&schema, NULL, &error, "service", "org.example.bench", "account",
                            "account-5000", NULL);
    if (!password) fail("the password cannot be looked up");
    if (i >= 0) sum += strlen(password);
    release(password);
  }
  printf("%f %lx\n", (now_us() - start) * 1000 / lookups, sum);
  return 0;
}
