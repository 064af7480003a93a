#pragma once
#include <stdbool.h>
#include <stddef.h>

// Reads what the daemon says, in place, and writes what it is asked. Nothing here allocates.

enum json_kind { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER, JSON_TRUE, JSON_FALSE, JSON_NULL };

// A value: where its text is (of a string between the quotes), and how many tokens it takes with all
// that is inside it, its own included.
struct json_token {
  enum json_kind kind;
  const char *start;
  size_t length;
  size_t span;
};

// The most tokens of a message; a prompt has some forty.
#define JSON_TOKENS 512

struct json_document {
  struct json_token tokens[JSON_TOKENS];
  size_t count;
};

// Reads one value that takes all of the text; false for anything else.
bool json_read(struct json_document *document, const char *text, size_t length);

// The value of a member of an object; NULL where there is none or `object` is NULL or no object.
const struct json_token *json_member(const struct json_token *object, const char *name);

// Whether a value is this text, which has no escapes.
bool json_is(const struct json_token *value, const char *text);

bool json_is_true(const struct json_token *value);

// The whole number that a value is, from 0 to a year of seconds; 0 for anything else.
long json_seconds(const struct json_token *value);

// Copies a string with its escapes undone, a zero after it; what does not fit is cut off, and control
// characters become spaces, because it is shown to a person. False where it is no string.
bool json_copy(const struct json_token *value, char *output, size_t room);

// A buffer that is written to; `failed` once something did not fit.
struct json_text {
  char *bytes;
  size_t room;
  size_t length;
  bool failed;
};

// Appends text as it is.
void json_append(struct json_text *text, const char *bytes);

// Appends a string in quotes, escaped; what is no UTF-8 makes the buffer fail.
void json_append_string(struct json_text *text, const char *bytes);
