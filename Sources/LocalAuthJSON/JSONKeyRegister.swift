/// The keys seen so far in each open object, to reject duplicates.
///
/// Keys are remembered as 64-bit fingerprints, so a collision of fingerprints also counts as a
/// duplicate: for honest texts its odds are 2^-49 in an object of 256 keys, and an attacker who
/// constructs collisions gets an error instead of expensive comparisons. One stack serves all open
/// objects; below the fingerprints of each object lies the index where those of the outer object
/// begin.
struct JSONKeyRegister {
  private static let inlineCapacity = 32
  /// The first entries need no allocation; they suffice for every request and reply.
  private var inline = InlineArray<32, UInt64>(repeating: 0)
  private var spilled: [UInt64] = []
  private var count = 0
  private var base = 0

  /// How many keys the innermost object has so far.
  var keyCount: Int { count - base }

  mutating func enterObject() {
    push(UInt64(base))
    base = count
  }

  mutating func leaveObject() {
    count = base - 1
    let outer =
      count < Self.inlineCapacity ? inline[count] : spilled[count - Self.inlineCapacity]
    base = Int(truncatingIfNeeded: outer)
    if count < Self.inlineCapacity {
      if !spilled.isEmpty { spilled.removeAll(keepingCapacity: true) }
    } else {
      spilled.removeLast(spilled.count - (count - Self.inlineCapacity))
    }
  }

  /// Remembers `key` and returns true, or returns false if the innermost object has it already.
  @inline(__always)
  mutating func insert(_ key: JSONKey) -> Bool {
    let fingerprint = Self.fingerprint(key)
    // An object that begins beyond the inline entries has none among them.
    for at in min(base, Self.inlineCapacity)..<min(count, Self.inlineCapacity)
    where inline[at] == fingerprint {
      return false
    }
    if count > Self.inlineCapacity {
      let first = max(base - Self.inlineCapacity, 0)
      for at in first..<spilled.count where spilled[at] == fingerprint { return false }
    }
    push(fingerprint)
    return true
  }

  @inline(__always)
  private mutating func push(_ value: UInt64) {
    if count < Self.inlineCapacity {
      inline[count] = value
    } else {
      spilled.append(value)
    }
    count += 1
  }

  @inline(__always)
  private static func fingerprint(_ key: JSONKey) -> UInt64 {
    var hash = fold(
      key.head.0 ^ 0x9E37_79B9_7F4A_7C15,
      key.head.1 ^ UInt64(key.count) ^ 0xC2B2_AE3D_27D4_EB4F
    )
    hash = fold(hash ^ key.head.2, 0xD6E8_FEB8_6659_FD93)
    guard let long = key.long else { return hash }
    for start in stride(from: 24, to: long.count, by: 8) {
      let word = JSONKey.word(long.span, from: start, to: long.count)
      hash = fold(hash ^ word, 0xD6E8_FEB8_6659_FD93)
    }
    return hash
  }

  /// Combines both halves of the product, so that every bit of the input reaches every bit of the
  /// result.
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
