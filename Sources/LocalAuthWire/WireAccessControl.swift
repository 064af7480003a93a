public import LocalAuthKeychain

/// An access control as it travels: the letters of its protection, and its flags by name.
public struct WireAccessControl: WireObject, Hashable, Sendable {
  /// Apple's letters, `ak` to `akpu`.
  public var protection: String = ""
  /// Apple's names, `or` and `and` among them.
  public var flags: [String] = []
  /// Everything absent, empty or zero.
  public init() {}

  /// The access control as it travels; what it is bound to stays where it is.
  public init(_ accessControl: AccessControl) {
    protection = accessControl.protection.rawValue
    flags = accessControl.flags.text.split(separator: ",").map { String($0) }
  }

  /// The access control that is meant, bound to nothing yet.
  ///
  /// Throws for a protection or a flag that is not known, a flag that is there twice, and flags that
  /// do not go together.
  public func accessControl() throws(WireError) -> AccessControl {
    guard let known = ProtectionClass(rawValue: protection) else {
      throw .invalidParameter("protection")
    }
    guard !flags.isEmpty else { return AccessControl(known) }
    guard flags.allSatisfy({ AccessControlFlags.allWords.contains($0) }) else {
      throw .invalidParameter("flags")
    }
    do throws(KeychainError) {
      let flags = try AccessControlFlags(text: flags.joined(separator: ","))
      return try AccessControl(known, flags: flags)
    } catch {
      throw .invalidParameter("flags")
    }
  }

  /// Hands over every field.
  public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
    try mapper.required("protection", &protection)
    try mapper.required("flags", &flags)
  }
}
