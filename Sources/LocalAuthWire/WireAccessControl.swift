public import LocalAuthKeychain

/// The wire form of an access control: the letters of its protection class and the names of its
/// flags.
public struct WireAccessControl: WireObject, Hashable, Sendable {
  /// The letters of the protection class, `ak` to `akpu`.
  public var protection: String = ""
  /// Apple's names of the flags, `or` and `and` among them.
  public var flags: [String] = []
  /// Creates a value whose fields are all absent, empty or zero.
  public init() {}

  /// Creates the wire form of an access control, without its binding.
  public init(_ accessControl: AccessControl) {
    protection = accessControl.protection.rawValue
    flags = accessControl.flags.text.split(separator: ",").map { String($0) }
  }

  /// Returns the access control, not yet bound.
  ///
  /// Throws if the protection class or a flag is unknown, if a flag occurs twice, or if flags
  /// conflict.
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

  /// Passes every field to `mapper`.
  public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
    try mapper.required("protection", &protection)
    try mapper.required("flags", &flags)
  }
}
