import CLocalAuthLinux
import Glibc

/// Notifies the service manager of this process's state (sd_notify(3)); never blocks.
public struct ServiceNotifier: Sendable {
  /// A notification.
  public enum Message: Sendable, Equatable {
    /// The process serves requests from now on.
    case ready
    /// The process is shutting down.
    case stopping
    /// One line for `systemctl status`; never a secret.
    case status(String)
    /// The process is alive.
    case watchdog

    var text: String {
      switch self {
      case .ready: "READY=1\n"
      case .stopping: "STOPPING=1\n"
      case .status(let line): "STATUS=\(ServiceNotifier.oneLine(line))\n"
      case .watchdog: "WATCHDOG=1\n"
      }
    }
  }

  /// The longest time allowed between ``Message/watchdog`` messages; nil if none are requested.
  ///
  /// Send them twice as often.
  public let watchdogInterval: Duration?
  private let address: String

  /// Finds the service manager's socket; nil if this process was not started by one.
  public init?(environment: ProcessEnvironment = .current) {
    self.init(environment: environment, processID: getpid())
  }

  init?(environment: ProcessEnvironment, processID: Int32) {
    guard let address = environment["NOTIFY_SOCKET"], let first = address.utf8.first,
      first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
    else { return nil }
    self.address = address
    watchdogInterval = Self.watchdogInterval(in: environment, processID)
  }

  /// Sends a notification.
  ///
  /// - Throws: the error of `sendto`, which is EAGAIN if the service manager's queue is full.
  public func notify(_ message: Message) throws(SystemError) {
    var text = message.text
    // SAFETY: the bytes are the string's own, valid inside the closure; they are never empty.
    let outcome = text.withUTF8 { bytes in
      unsafe bytes.baseAddress.map { unsafe la_send_datagram(address, $0, bytes.count) } ?? 0
    }
    _ = try SystemError.check(outcome, "sendto", subject: address)
  }

  /// `line` without control characters, which could begin another assignment.
  private static func oneLine(_ line: String) -> String {
    let scalars = line.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func watchdogInterval(
    in environment: ProcessEnvironment,
    _ processID: Int32
  ) -> Duration? {
    if let owner = environment["WATCHDOG_PID"], owner != String(processID) { return nil }
    guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text),
      microseconds > 0
    else { return nil }
    return .microseconds(microseconds)
  }
}
