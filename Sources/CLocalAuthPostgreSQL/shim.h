#pragma once
#include <libpq-fe.h>
#include <stddef.h>
#include <string.h>

// A character constant, which Swift does not import.
static inline const char *_Nullable la_pq_sqlstate(const PGresult *_Nonnull result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

#define LA_PQ_OPTIONS_MAX 32

// What a server tells besides its answers is nothing that anybody waits for; libpq writes it to standard error.
static inline void la_pq_hear_nothing(void *_Nullable context, const PGresult *_Nullable notice) {
  (void)context;
  (void)notice;
}

// Begins to connect. `words` has a name and a value for each option, each ending with a zero; a password is not among
// them. What goes wrong is said with its code. NULL without memory, or for too many options.
static inline PGconn *_Nullable la_pq_start(const char *_Nonnull words, size_t count,
                                            const char *_Nullable password) {
  const char *names[LA_PQ_OPTIONS_MAX + 2];
  const char *values[LA_PQ_OPTIONS_MAX + 2];
  size_t at = 0;
  if (count > LA_PQ_OPTIONS_MAX) return NULL;
  for (; at < count; at++) {
    names[at] = words;
    words += strlen(words) + 1;
    values[at] = words;
    words += strlen(words) + 1;
  }
  if (password != NULL) {
    names[at] = "password";
    values[at++] = password;
  }
  names[at] = NULL;
  values[at] = NULL;
  PGconn *connection = PQconnectStartParams(names, values, 0);
  if (connection != NULL) {
    PQsetErrorVerbosity(connection, PQERRORS_VERBOSE);
    PQsetNoticeReceiver(connection, la_pq_hear_nothing, NULL);
  }
  return connection;
}
