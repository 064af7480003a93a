extension AccessControl {
  private static let version: UInt8 = 1
  private static let unboundMark: UInt8 = 0
  private static let boundMark: UInt8 = 1
  private static let generationMark: UInt8 = 2

  /// The canonical encoding, which is stored with the item, authenticated, and digested for proofs.
  ///
  /// It holds the version, the class, 4 bytes of flags, the kind of binding, and 8 bytes of
  /// generation if it is bound to one.
  public var bytes: [UInt8] {
    let head =
      [Self.version, protection.code]
      + UInt32(truncatingIfNeeded: flags.rawValue).bigEndianBytes
    switch binding {
    case .unbound: return head + [Self.unboundMark]
    case .bound(nil): return head + [Self.boundMark]
    case .bound(let generation?): return head + [Self.generationMark] + generation.bigEndianBytes
    }
  }

  /// Decodes an access control.
  ///
  /// Throws ``KeychainError/undecodable`` for anything that ``bytes`` would not produce, including
  /// trailing bytes.
  public init(bytes: [UInt8]) throws(KeychainError) {
    guard bytes.count >= 7, bytes[0] == Self.version,
      let protection = ProtectionClass(code: bytes[1]),
      let binding = Self.binding(bytes[6], bytes[7...])
    else { throw .undecodable }
    let flags = AccessControlFlags(rawValue: bytes[2..<6].reduce(0) { $0 << 8 | UInt64($1) })
    guard let decoded = Self(protection, flags: flags, binding: binding) else {
      throw .undecodable
    }
    self = decoded
  }

  private static func binding(_ mark: UInt8, _ rest: ArraySlice<UInt8>) -> Binding? {
    switch (mark, rest.count) {
    case (unboundMark, 0): .unbound
    case (boundMark, 0): .bound(generation: nil)
    case (generationMark, 8): .bound(generation: rest.reduce(0) { $0 << 8 | UInt64($1) })
    default: nil
    }
  }
}
