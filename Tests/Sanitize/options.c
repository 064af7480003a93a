// What the sanitizers are told. It is linked into every program of the build, because our programs
// give the programs they start an environment of their own, and a report must not be lost there.
//
// Each process with something to report writes a file REPORTS.PID, which fails the run.

const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  // No search for leaks: it takes for lost what Swift points to in a packed form, such as the weak
  // references of an object that is still there at the end, and Foundation leaks where tests use it.
  return "log_path=" REPORTS ":detect_leaks=0";
}

const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
  return "log_path=" REPORTS;
}
