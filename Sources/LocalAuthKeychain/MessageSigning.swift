/// A private key that was opened to sign with.
///
/// It belongs to one thread; when it is released its memory is wiped.
public protocol MessageSigning: AnyObject {
  /// The signature of `message`; nil when that fails.
  func sign(_ message: [UInt8]) -> [UInt8]?
}
