import CLocalAuthSodium

/// What one guess at a passcode costs: Argon2id's passes and memory, with one lane.
public struct PasscodeCost: Hashable, Sendable {
  /// Passes over the memory.
  public let passes: UInt32
  /// Memory in KiB.
  public let kibibytes: UInt32

  /// The cost of so many passes over so much memory; nil outside what is ever accepted.
  ///
  /// At least libsodium's minimum, and at most 16 passes over 256 MiB: a keybag that somebody
  /// planted may not exhaust the machine.
  public init?(passes: UInt32, kibibytes: UInt32) {
    guard (1...16).contains(passes), (8...262_144).contains(kibibytes) else { return nil }
    self.init(unchecked: passes, kibibytes)
  }

  private init(unchecked passes: UInt32, _ kibibytes: UInt32) {
    self.passes = passes
    self.kibibytes = kibibytes
  }

  /// What a persistent device uses: 64 MiB and 3 passes, RFC 9106's second recommendation (with one
  /// lane), about 55 ms.
  public static let standard = PasscodeCost(unchecked: 3, 65_536)
  /// The least that a persistent device accepts: 19 MiB and 2 passes, OWASP's minimum.
  public static let floor = PasscodeCost(unchecked: 2, 19_456)
  /// The least there is, for devices that live as long as a test.
  public static let minimum = PasscodeCost(unchecked: 1, 8)

  /// Whether neither number lies below those of `other`.
  public func isAtLeast(_ other: PasscodeCost) -> Bool {
    passes >= other.passes && kibibytes >= other.kibibytes
  }
}
