/// A size in up to four bytes: seven bits in each, the lowest first, and the highest bit in all but the last.
@usableFromInline
enum BackupSize {
  /// The largest size, which is more than any record has.
  static let most = 1 << 28 - 1

  static func bytes(_ size: Int) -> [UInt8] {
    precondition((0...most).contains(size), "a size has at most 28 bits")
    var bytes: [UInt8] = []
    var rest = size
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// Reads a size and how many bytes it takes; nil if there are too few.
  ///
  /// - Throws: ``BackupError/damaged`` for one of five bytes, or one that has a shorter form.
  @inlinable
  static func read(
    _ bytes: some Collection<UInt8>
  ) throws(BackupError) -> (size: Int, count: Int)? {
    var size = 0
    for (place, byte) in bytes.prefix(4).enumerated() {
      size |= Int(byte & 0x7F) << (7 * place)
      guard byte < 0x80 else { continue }
      guard byte > 0 || place == 0 else { throw .damaged }
      return (size, place + 1)
    }
    guard bytes.count < 4 else { throw .damaged }
    return nil
  }
}
