/// Digests as words that two people can compare by eye or on the telephone.
///
/// A word has 16 bits: three consonants, which have four bits each, and two vowels, which have two.
public enum FingerprintWords {
  private static let consonants = Array("bdfghjklmnprstvz")
  private static let vowels = Array("aiou")

  /// The first words of a digest; there are 16 in all.
  public static func words(_ digest: SyncDigest, count: Int) -> [String] {
    let bytes = digest.bytes
    return (0..<min(max(count, 0), 16)).map { place in
      word(UInt16(bytes[2 * place]) << 8 | UInt16(bytes[2 * place + 1]))
    }
  }

  private static func word(_ bits: UInt16) -> String {
    String([
      consonants[Int(bits >> 12)], vowels[Int(bits >> 10 & 3)], consonants[Int(bits >> 6 & 15)],
      vowels[Int(bits >> 4 & 3)], consonants[Int(bits & 15)],
    ])
  }
}
