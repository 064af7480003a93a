/// A private key opened for signing.
///
/// It belongs to one thread. Releasing it wipes its memory.
public protocol MessageSigning: AnyObject, Sendable {
  /// The signature of `message`; nil on failure.
  func sign(_ message: [UInt8]) -> [UInt8]?
}
