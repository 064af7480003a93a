import CLocalAuthLinux

/// A client of journald's native protocol: one datagram per entry, never blocking.
public struct Journal: Sendable {
  /// The socket on which journald listens.
  public static let standardPath = "/run/systemd/journal/socket"

  private let path: String

  /// Uses the journal at `path`; nothing needs to listen there yet.
  public init(path: String = standardPath) { self.path = path }

  /// Sends an entry.
  ///
  /// - Parameter fields: names of capital letters, digits and underscores, with values of any text.
  /// - Throws: the error of `sendto`: ENOENT or ECONNREFUSED if there is no journal, EAGAIN if its
  ///   queue is full.
  public func send(_ fields: [(name: String, value: String)]) throws(SystemError) {
    var entry: [UInt8] = []
    for (name, value) in fields {
      let bytes = Array(value.utf8)
      entry += name.utf8
      if bytes.contains(UInt8(ascii: "\n")) {
        // A length instead of a terminator, so that no value can begin another field.
        entry.append(UInt8(ascii: "\n"))
        for shift in stride(from: 0, to: 64, by: 8) {
          entry.append(UInt8(truncatingIfNeeded: UInt64(bytes.count) >> UInt64(shift)))
        }
      } else {
        entry.append(UInt8(ascii: "="))
      }
      entry += bytes
      entry.append(UInt8(ascii: "\n"))
    }
    // SAFETY: the bytes are the array's own, valid inside the closure; an entry is never empty.
    let outcome = unsafe entry.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe la_send_datagram(path, $0, bytes.count) } ?? 0
    }
    _ = try SystemError.check(outcome, "sendto", subject: path)
  }
}
