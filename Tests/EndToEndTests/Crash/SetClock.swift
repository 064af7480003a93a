/// A library that is loaded into a daemon and tells it another time, and another boot of the machine.
final class SetClock: Sendable {
  let library: String
  private let bootFile: String

  init(in scratch: Scratch) throws {
    library = scratch.file("set-clock.so")
    bootFile = scratch.file("boot-id")
    try Machine.compile(Self.source, to: library, ["-shared", "-fPIC"])
  }

  /// What a daemon is started with that believes to be in the `boot`-th boot, so many seconds after it.
  func environment(boot: Int, seconds: Int, wall: Int) throws -> [String] {
    let digits = String(boot, radix: 16)
    let padded = String(repeating: "0", count: 12 - digits.count) + digits
    try Files.write(Array("5eed5eed-5eed-4eed-8eed-\(padded)\n".utf8), to: bootFile)
    return ["BOOT_ID=\(bootFile)", "SINCE_BOOT=\(seconds)", "WALL=\(wall)"]
  }

  private static let source = #"""
    #define _GNU_SOURCE
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/syscall.h>
    #include <sys/timerfd.h>
    #include <time.h>
    #include <unistd.h>

    #define SECOND 1000000000LL

    static long long shift_of_boot, shift_of_wall;

    static long long real(clockid_t clock) {
      struct timespec time;
      syscall(SYS_clock_gettime, clock, &time);
      return time.tv_sec * SECOND + time.tv_nsec;
    }

    static long long shift(const char *name, clockid_t clock) {
      const char *text = getenv(name);
      return text == NULL ? 0 : atoll(text) * SECOND - real(clock);
    }

    static struct timespec of(long long nanoseconds) {
      return (struct timespec){nanoseconds / SECOND, nanoseconds % SECOND};
    }

    __attribute__((constructor)) static void begin(void) {
      shift_of_boot = shift("SINCE_BOOT", CLOCK_BOOTTIME);
      shift_of_wall = shift("WALL", CLOCK_REALTIME);
    }

    int clock_gettime(clockid_t clock, struct timespec *time) {
      int outcome = syscall(SYS_clock_gettime, clock, time);
      if (outcome == 0 && clock == CLOCK_BOOTTIME) *time = of(real(clock) + shift_of_boot);
      if (outcome == 0 && clock == CLOCK_REALTIME) *time = of(real(clock) + shift_of_wall);
      return outcome;
    }

    int timerfd_settime(int timer, int flags, const struct itimerspec *next, struct itimerspec *last) {
      struct itimerspec moved = *next;
      long long due = moved.it_value.tv_sec * SECOND + moved.it_value.tv_nsec;
      if (flags & TFD_TIMER_ABSTIME && due != 0) {
        due -= shift_of_boot;
        moved.it_value = of(due > 0 ? due : 1);
      }
      return syscall(SYS_timerfd_settime, timer, flags, &moved, last);
    }

    int open(const char *path, int flags, ...) {
      va_list more;
      va_start(more, flags);
      int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
      va_end(more);
      const char *boot = getenv("BOOT_ID");
      if (boot != NULL && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0) path = boot;
      return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    }
    """#
}
