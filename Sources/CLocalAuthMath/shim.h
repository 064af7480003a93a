#pragma once
#include <math.h>

// Of the C library, math.h and nothing else: a pure target that imports this sees these functions.
static inline double la_erfc(double x) { return erfc(x); }
static inline double la_exp(double x) { return exp(x); }
static inline double la_expm1(double x) { return expm1(x); }
static inline double la_log(double x) { return log(x); }
static inline double la_log1p(double x) { return log1p(x); }

// lgamma() writes the sign into a global variable, which two threads must not do.
static inline double la_log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}
