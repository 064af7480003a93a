// What the sanitizers are told. It is linked into every program of the build, because our programs
// give the programs they start an environment of their own, and a report must not be lost there.
//
// Each process with something to report writes a file REPORTS.PID, which fails the run.

const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "log_path=" REPORTS;
}

const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
  return "log_path=" REPORTS;
}
