#pragma once
#include <libpq-fe.h>

// A character constant, which Swift does not import.
static inline const char *_Nullable la_pq_sqlstate(const PGresult *_Nonnull result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}
