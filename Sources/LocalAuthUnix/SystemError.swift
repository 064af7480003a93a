import Glibc

/// A system call that failed: which one, why, and on what.
public struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The call, by its name in the manual.
  public let call: String
  /// The error number, as in errno(3).
  public let code: Int32
  /// The path or name that the call was about, where there is one.
  public let subject: String?

  /// The failure of `call` with error number `code`.
  public init(_ call: String, code: Int32, subject: String? = nil) {
    self.call = call
    self.code = code
    self.subject = subject
  }

  /// One line: the call, its subject, and the C library's words for the error number.
  public var description: String {
    // SAFETY: strerror gives a NUL-terminated string that stays until this thread calls it again.
    let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return "\(call)\(subject.map { " \($0)" } ?? ""): \(reason)"
  }

  /// Whether it says that something can be read at most.
  var forbidsWriting: Bool { code == EROFS || code == EACCES || code == EPERM }

  /// The value that a function of our own returned, or the error that it negated.
  static func check<Value: SignedInteger>(
    _ value: Value,
    _ call: String,
    subject: String? = nil
  ) throws(SystemError) -> Value {
    guard value < 0 else { return value }
    throw SystemError(call, code: Int32(-value), subject: subject)
  }
}
