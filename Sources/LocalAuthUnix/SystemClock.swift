import Glibc
public import LocalAuthCore

/// The clocks and the boot id of this machine.
public struct SystemClock: Sendable {
  /// The identifier of the current boot.
  public let bootID: BootIdentifier

  /// Reads the kernel's boot id once.
  ///
  /// Fails if /proc is not mounted: without the boot id a reboot cannot be told from a wait.
  public init() throws(SystemError) {
    try self.init(bootIDFile: "/proc/sys/kernel/random/boot_id")
  }

  init(bootIDFile path: String) throws(SystemError) {
    guard let bootID = Self.parse(try Self.read(path)) else {
      throw SystemError("read", code: EINVAL, subject: path)
    }
    self.bootID = bootID
  }

  /// Reads the clocks.
  public func now() -> Moment {
    Moment(boot: Self.bootNow(), bootID: bootID, wall: Self.wallNow())
  }

  /// The time of day (CLOCK_REALTIME), for display.
  public static func wallNow() -> WallInstant {
    let wall = read(CLOCK_REALTIME)
    return WallInstant(milliseconds: Int64(wall.tv_sec) * 1000 + Int64(wall.tv_nsec) / 1_000_000)
  }

  /// The time since boot, suspended time included (CLOCK_BOOTTIME).
  public static func bootNow() -> BootInstant {
    let time = read(CLOCK_BOOTTIME)
    return BootInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    // SAFETY: the kernel fills `time`, which outlives the call; both clocks always exist.
    unsafe clock_gettime(clock, &time)
    return time
  }

  private static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw SystemError("open", code: errno, subject: path) }
    let file = FileDescriptor(owning: opened)
    var text = [UInt8](repeating: 0, count: 64)
    // SAFETY: the buffer holds `count` bytes for the call.
    let count = unsafe text.withUnsafeMutableBytes {
      unsafe Glibc.read(file.rawValue, $0.baseAddress, $0.count)
    }
    guard count >= 0 else { throw SystemError("read", code: errno, subject: path) }
    return Array(text.prefix(count))
  }

  /// Parses a UUID: 32 hexadecimal digits; dashes and newlines are ignored.
  static func parse(_ text: [UInt8]) -> BootIdentifier? {
    var digits = 0
    var high: UInt64 = 0
    var low: UInt64 = 0
    for byte in text where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "\n") {
      guard let digit = UInt64(String(UnicodeScalar(byte)), radix: 16) else { return nil }
      high = high << 4 | low >> 60
      low = low << 4 | digit
      digits += 1
    }
    return digits == 32 ? BootIdentifier(high: high, low: low) : nil
  }
}
