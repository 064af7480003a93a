import CLocalAuthSodium

/// The cost of one guess at a passcode: Argon2id's passes and memory, with one lane.
public struct PasscodeCost: Hashable, Sendable {
  /// The number of passes over the memory.
  public let passes: UInt32
  /// The memory in KiB.
  public let kibibytes: UInt32

  /// Makes a cost; nil outside the accepted range.
  ///
  /// The range is from libsodium's minimum to 16 passes over 256 MiB, so that a planted keybag
  /// cannot exhaust the machine.
  public init?(passes: UInt32, kibibytes: UInt32) {
    guard (1...16).contains(passes), (8...262_144).contains(kibibytes) else { return nil }
    self.init(unchecked: passes, kibibytes)
  }

  private init(unchecked passes: UInt32, _ kibibytes: UInt32) {
    self.passes = passes
    self.kibibytes = kibibytes
  }

  /// The cost for persistent devices: 64 MiB and 3 passes, RFC 9106's second recommendation (with
  /// one lane), about 55 ms.
  public static let standard = PasscodeCost(unchecked: 3, 65_536)
  /// The least cost that a persistent device accepts: 19 MiB and 2 passes, OWASP's minimum.
  public static let floor = PasscodeCost(unchecked: 2, 19_456)
  /// The least possible cost, for devices that live only as long as a test.
  public static let minimum = PasscodeCost(unchecked: 1, 8)

  /// Whether neither number is below that of `other`.
  public func isAtLeast(_ other: PasscodeCost) -> Bool {
    passes >= other.passes && kibibytes >= other.kibibytes
  }
}
