/// What kind of biometry a device has.
public enum BiometryType: String, Hashable, Sendable {
  /// None at all.
  case none
  /// A fingerprint sensor.
  case fingerprint
}

/// Stands for the set of enrolled fingers, and changes with every change of it.
///
/// The value tells nothing about the fingers and means something on its own device only. Adding a
/// finger and removing it again gives a new value: whoever kept the old one notices.
public struct DomainState: Hashable, Sendable, CustomStringConvertible {
  /// The value in hexadecimal, fit to be kept.
  public let description: String

  init(_ text: String) { description = text }
}
