import Glibc

/// A failed system call: its name, its error number and its subject.
public struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The call, by its name in the manual.
  public let call: String
  /// The error number, as in errno(3).
  public let code: Int32
  /// The path or name that the call was about, if any.
  public let subject: String?

  /// The failure of `call` with error number `code`.
  public init(_ call: String, code: Int32, subject: String? = nil) {
    self.call = call
    self.code = code
    self.subject = subject
  }

  /// The C library's message for the error number.
  public var reason: String {
    // SAFETY: strerror returns a NUL-terminated string, valid until this thread calls it again.
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  /// Why the file system did not take what was written, in words; nil for an error that is none of room or of the disk.
  public var refusedContent: String? {
    switch code {
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota is used up"
    case EFBIG: "the file would be too large"
    case EIO: "the disk reports an error"
    default: nil
    }
  }

  /// One line: the call, its subject, and the reason.
  public var description: String { "\(call)\(subject.map { " \($0)" } ?? ""): \(reason)" }

  /// Whether the error means that writing is not permitted, while reading may be.
  var forbidsWriting: Bool { code == EROFS || code == EACCES || code == EPERM }

  /// Returns the result of a shim function, or throws the error number that it negated.
  static func check<Value: SignedInteger>(
    _ value: Value,
    _ call: String,
    subject: String? = nil
  ) throws(SystemError) -> Value {
    guard value < 0 else { return value }
    throw SystemError(call, code: Int32(-value), subject: subject)
  }
}
