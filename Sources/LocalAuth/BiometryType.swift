/// The kind of biometry a device has.
public enum BiometryType: String, Hashable, Sendable {
  /// No biometry.
  case none
  /// A fingerprint sensor.
  case fingerprint
}

/// A token for the set of enrolled fingers, which changes whenever the set changes.
///
/// The value reveals nothing about the fingers and has meaning on its own device only. Adding a
/// finger and removing it again gives a new value, so the change can be detected.
public struct DomainState: Hashable, Sendable, CustomStringConvertible {
  /// The value in hexadecimal, suitable for storage.
  public let description: String

  init(_ text: String) { description = text }
}
