// Checks of the reader and the writer: what is read back, what is refused, and that nothing traps on texts
// with random changes. The seed is printed when a check fails, and taken from the environment.

#include "../src/json.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t seed, state;
static int failures;

#define CHECK(claim)                                                                       \
  do {                                                                                     \
    if (!(claim)) {                                                                        \
      fprintf(stderr, "%s:%d: %s (SEED=%llu)\n", __FILE__, __LINE__, #claim, (unsigned long long)seed); \
      failures++;                                                                          \
    }                                                                                      \
  } while (0)

static uint64_t random_number(void) {
  uint64_t z = (state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

static struct json_document document;

static const struct json_token *read_text(const char *text) {
  return json_read(&document, text, strlen(text)) ? document.tokens : NULL;
}

static void members_are_found(void) {
  const struct json_token *all = read_text(
      " {\"a\": [1, {\"b\": \"inner\"}], \"b\": \"outer\", \"n\": null, \"t\": true, \"o\": {\"x\": {}} } ");
  CHECK(all != NULL);
  CHECK(json_is(json_member(all, "b"), "outer"));
  CHECK(json_is_true(json_member(all, "t")));
  CHECK(json_member(all, "n") == NULL);
  CHECK(json_member(all, "inner") == NULL);
  CHECK(json_member(json_member(all, "a"), "b") == NULL);
  CHECK(json_member(json_member(all, "o"), "x")->kind == JSON_OBJECT);
  CHECK(json_member(NULL, "x") == NULL);
}

static void seconds_are_whole_and_not_too_many(void) {
  const struct json_token *all =
      read_text("{\"a\": 24, \"b\": -1, \"c\": 1.5, \"d\": \"9\", \"e\": 99999999999999999999999, \"f\": 1e2}");
  CHECK(json_seconds(json_member(all, "a")) == 24);
  for (const char *name = "bcdefg"; *name != '\0'; name++) {
    char key[] = {*name, '\0'};
    CHECK(json_seconds(json_member(all, key)) == 0);
  }
}

static void strings_are_copied_for_people(void) {
  char text[64];
  const struct json_token *all = read_text(
      "{\"s\": \"a\\\"\\\\\\/\\n\\u00e9\\ud83d\\ude00\\u0007\", \"half\": \"\\ud83d!\", \"bad\": \"\\u12\"}");
  CHECK(json_copy(json_member(all, "s"), text, sizeof text));
  CHECK(strcmp(text, "a\"\\/ \xC3\xA9\xF0\x9F\x98\x80 ") == 0);
  CHECK(json_copy(json_member(all, "half"), text, sizeof text));
  CHECK(strcmp(text, "\xEF\xBF\xBD!") == 0);
  CHECK(json_copy(json_member(all, "bad"), text, sizeof text));
  CHECK(json_copy(json_member(all, "s"), text, 4) && strcmp(text, "a\"\\") == 0);
  CHECK(!json_copy(json_member(all, "s"), text, 0));
  CHECK(!json_copy(json_member(all, "none"), text, sizeof text) && text[0] == '\0');
}

static void what_is_no_value_is_refused(void) {
  static const char *wrong[] = {
      "",        " ",       "{",     "}",       "{\"a\"}",    "{\"a\":}",  "{\"a\":1,}", "[1,]", "[1 2]",
      "\"",      "\"\\",    "tru",   "nulll",   "{\"a\":1}x", "{a:1}",     "[",          "-x",   "\"\x01\"",
      "{\"a\":1 \"b\":2}"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) CHECK(read_text(wrong[i]) == NULL);
  char deep[200];
  memset(deep, '[', 100);
  memset(deep + 100, ']', 100);
  CHECK(!json_read(&document, deep, sizeof deep));
  char many[4096] = "[0";
  for (size_t i = 2; i + 2 < sizeof many - 2; i += 2) memcpy(many + i, ",0", 2);
  strcat(many, "]");
  CHECK(read_text(many) == NULL);
}

static void what_is_written_is_read_back(void) {
  char bytes[256];
  struct json_text text = {.bytes = bytes, .room = sizeof bytes};
  json_append(&text, "{\"p\":");
  json_append_string(&text, "q\"\\\n\x7F\xC3\xA9");
  json_append(&text, "}");
  CHECK(!text.failed && json_read(&document, bytes, text.length));
  char copy[64];
  CHECK(json_copy(json_member(document.tokens, "p"), copy, sizeof copy));
  CHECK(strcmp(copy, "q\"\\  \xC3\xA9") == 0);
  static const char *not_text[] = {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "a\xC3"};
  for (size_t i = 0; i < sizeof not_text / sizeof *not_text; i++) {
    text = (struct json_text){.bytes = bytes, .room = sizeof bytes};
    json_append_string(&text, not_text[i]);
    CHECK(text.failed);
  }
  text = (struct json_text){.bytes = bytes, .room = 4};
  json_append_string(&text, "too long");
  CHECK(text.failed && text.length <= 4);
}

static void changed_texts_never_trap(void) {
  static const char sample[] =
      "{\"parameters\":{\"prompt\":{\"nonce\":\"77c0\\u00e9\",\"biometry\":true,\"attemptsLeft\":3,"
      "\"reason\":\"a \\\"b\\\"\",\"list\":[1,2,{\"x\":null}]}},\"continues\":true}";
  for (int round = 0; round < 200000; round++) {
    size_t length = sizeof sample - 1;
    // Exactly as large as the text, so that a byte behind it is noticed.
    char *text = malloc(length);
    memcpy(text, sample, length);
    for (uint64_t changes = random_number() % 4; changes > 0; changes--)
      text[random_number() % length] = (char)random_number();
    length = random_number() % 8 == 0 ? random_number() % length : length;
    char copy[32];
    if (json_read(&document, text, length))
      for (size_t i = 0; i < document.count; i++) {
        json_copy(&document.tokens[i], copy, sizeof copy);
        json_member(&document.tokens[i], "nonce");
      }
    free(text);
  }
}

int main(void) {
  const char *given = getenv("SEED");
  seed = state = given != NULL ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
  members_are_found();
  seconds_are_whole_and_not_too_many();
  strings_are_copied_for_people();
  what_is_no_value_is_refused();
  what_is_written_is_read_back();
  changed_texts_never_trap();
  if (failures == 0) puts("json: every check passed");
  return failures == 0 ? 0 : 1;
}
