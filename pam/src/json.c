#include "json.h"
#include <stdint.h>
#include <string.h>

struct reader {
  struct json_document *document;
  const char *at;
  const char *end;
};

// Deeper than any message of the daemon's.
#define DEPTH_MAX 16

static void skip_space(struct reader *reader) {
  while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL && *reader->at != '\0')
    reader->at++;
}

static bool take(struct reader *reader, char expected) {
  skip_space(reader);
  if (reader->at >= reader->end || *reader->at != expected) return false;
  reader->at++;
  return true;
}

static struct json_token *new_token(struct reader *reader, enum json_kind kind) {
  if (reader->document->count == JSON_TOKENS) return NULL;
  struct json_token *token = &reader->document->tokens[reader->document->count++];
  *token = (struct json_token){.kind = kind, .start = reader->at, .span = 1};
  return token;
}

static bool read_string(struct reader *reader) {
  if (!take(reader, '"')) return false;
  struct json_token *token = new_token(reader, JSON_STRING);
  if (token == NULL) return false;
  while (reader->at < reader->end && *reader->at != '"') {
    if ((unsigned char)*reader->at < 0x20) return false;
    reader->at += *reader->at == '\\' ? 2 : 1;
  }
  if (reader->at >= reader->end) return false;
  token->length = (size_t)(reader->at++ - token->start);
  return true;
}

static bool read_word(struct reader *reader) {
  static const struct {
    const char *text;
    enum json_kind kind;
  } words[] = {{"true", JSON_TRUE}, {"false", JSON_FALSE}, {"null", JSON_NULL}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i].text);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, words[i].text, length) != 0)
      continue;
    struct json_token *token = new_token(reader, words[i].kind);
    if (token == NULL) return false;
    token->length = length;
    reader->at += length;
    return true;
  }
  return false;
}

static bool read_number(struct reader *reader) {
  struct json_token *token = new_token(reader, JSON_NUMBER);
  if (token == NULL) return false;
  while (reader->at < reader->end && *reader->at != '\0' && strchr("+-.0123456789eE", *reader->at) != NULL)
    reader->at++;
  token->length = (size_t)(reader->at - token->start);
  return token->length > 0;
}

static bool read_value(struct reader *reader, int depth);

static bool read_members(struct reader *reader, int depth, bool are_named, char close) {
  if (take(reader, close)) return true;
  do {
    if (are_named && (!read_string(reader) || !take(reader, ':'))) return false;
    if (!read_value(reader, depth)) return false;
  } while (take(reader, ','));
  return take(reader, close);
}

static bool read_value(struct reader *reader, int depth) {
  skip_space(reader);
  if (depth > DEPTH_MAX || reader->at >= reader->end) return false;
  char first = *reader->at;
  if (first == '"') return read_string(reader);
  if (first != '{' && first != '[')
    return first == 't' || first == 'f' || first == 'n' ? read_word(reader) : read_number(reader);
  size_t index = reader->document->count;
  struct json_token *token = new_token(reader, first == '{' ? JSON_OBJECT : JSON_ARRAY);
  if (token == NULL) return false;
  reader->at++;
  if (!read_members(reader, depth + 1, first == '{', first == '{' ? '}' : ']')) return false;
  token->length = (size_t)(reader->at - token->start);
  token->span = reader->document->count - index;
  return true;
}

bool json_read(struct json_document *document, const char *text, size_t length) {
  document->count = 0;
  struct reader reader = {.document = document, .at = text, .end = text + length};
  if (!read_value(&reader, 0)) return false;
  skip_space(&reader);
  return reader.at == reader.end;
}

bool json_is(const struct json_token *value, const char *text) {
  return value != NULL && value->kind == JSON_STRING && value->length == strlen(text) &&
         memcmp(value->start, text, value->length) == 0;
}

bool json_is_true(const struct json_token *value) { return value != NULL && value->kind == JSON_TRUE; }

long json_seconds(const struct json_token *value) {
  long number = 0;
  if (value == NULL || value->kind != JSON_NUMBER) return 0;
  for (size_t i = 0; i < value->length; i++) {
    if (value->start[i] < '0' || value->start[i] > '9') return 0;
    number = number * 10 + (value->start[i] - '0');
    if (number > 366L * 24 * 3600) return 0;
  }
  return number;
}

const struct json_token *json_member(const struct json_token *object, const char *name) {
  if (object == NULL || object->kind != JSON_OBJECT) return NULL;
  const struct json_token *end = object + object->span;
  for (const struct json_token *key = object + 1; key < end;) {
    const struct json_token *value = key + 1;
    if (json_is(key, name)) return value->kind == JSON_NULL ? NULL : value;
    key = value + value->span;
  }
  return NULL;
}

// The four hexadecimal digits of an escape; -1 where there are none.
static int32_t escaped_unit(const char *digits, const char *end) {
  if (end - digits < 4) return -1;
  int32_t unit = 0;
  for (int i = 0; i < 4; i++) {
    char c = digits[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return -1;
    unit = unit << 4 | digit;
  }
  return unit;
}

static size_t encode(uint32_t scalar, char output[4]) {
  if (scalar < 0x80) {
    output[0] = scalar < 0x20 || scalar == 0x7F ? ' ' : (char)scalar;
    return 1;
  }
  size_t count = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
  static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (size_t i = count - 1; i > 0; i--, scalar >>= 6) output[i] = (char)(0x80 | (scalar & 0x3F));
  output[0] = (char)(leads[count] | scalar);
  return count;
}

// Undoes the escape behind a backslash, and moves `*at` behind it.
static size_t unescape(const char **at, const char *end, char output[4]) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/     ";
  char name = **at;
  ++*at;
  const char *found = name == '\0' ? NULL : strchr(names, name);
  if (found != NULL) {
    output[0] = values[found - names];
    return 1;
  }
  int32_t unit = name == 'u' ? escaped_unit(*at, end) : -1;
  if (unit < 0) return encode(0xFFFD, output);
  *at += 4;
  if (unit >= 0xD800 && unit < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
    int32_t low = escaped_unit(*at + 2, end);
    if (low >= 0xDC00 && low < 0xE000) {
      *at += 6;
      return encode((uint32_t)(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)), output);
    }
  }
  return encode(unit >= 0xD800 && unit < 0xE000 ? 0xFFFD : (uint32_t)unit, output);
}

bool json_copy(const struct json_token *value, char *output, size_t room) {
  if (room == 0) return false;
  output[0] = '\0';
  if (value == NULL || value->kind != JSON_STRING) return false;
  const char *at = value->start, *end = value->start + value->length;
  size_t written = 0;
  while (at < end) {
    char bytes[4] = {*at};
    size_t count = 1;
    if (*at == '\\' && end - at > 1) {
      at++;
      count = unescape(&at, end, bytes);
    } else {
      if (bytes[0] == 0x7F) bytes[0] = ' ';
      at++;
    }
    if (written + count >= room) break;
    memcpy(output + written, bytes, count);
    written += count;
  }
  output[written] = '\0';
  return true;
}

void json_append(struct json_text *text, const char *bytes) {
  size_t length = strlen(bytes);
  if (text->failed || length > text->room - text->length) {
    text->failed = true;
    return;
  }
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
}

// How many bytes the character at `bytes` has; 0 where it is no UTF-8.
static size_t character(const unsigned char *bytes) {
  unsigned char lead = bytes[0];
  size_t count = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : 4;
  if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4) return 0;
  for (size_t i = 1; i < count; i++)
    if ((bytes[i] & 0xC0) != 0x80) return 0;
  bool is_overlong = (lead == 0xE0 && bytes[1] < 0xA0) || (lead == 0xF0 && bytes[1] < 0x90);
  bool is_none = (lead == 0xED && bytes[1] >= 0xA0) || (lead == 0xF4 && bytes[1] >= 0x90);
  return is_overlong || is_none ? 0 : count;
}

void json_append_string(struct json_text *text, const char *bytes) {
  static const char digits[] = "0123456789abcdef";
  json_append(text, "\"");
  for (const unsigned char *at = (const unsigned char *)bytes; *at != '\0' && !text->failed;) {
    size_t count = character(at);
    char piece[7] = {0};
    if (count == 0) {
      text->failed = true;
    } else if (*at == '"' || *at == '\\') {
      piece[0] = '\\';
      piece[1] = (char)*at;
    } else if (*at < 0x20 || *at == 0x7F) {
      memcpy(piece, "\\u00", 4);
      piece[4] = digits[*at >> 4];
      piece[5] = digits[*at & 15];
    } else {
      memcpy(piece, at, count);
    }
    json_append(text, piece);
    explicit_bzero(piece, sizeof piece);
    at += count;
  }
  json_append(text, "\"");
}
