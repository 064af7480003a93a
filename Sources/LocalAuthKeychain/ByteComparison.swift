extension String {
  /// Whether the UTF-8 is the same; two spellings of one character differ.
  func hasBytes(of other: String) -> Bool {
    var other = other
    // SAFETY: both texts are compared while their bytes are lent.
    return other.withUTF8 { hasBytes(unsafe $0.span) }
  }

  /// Whether the UTF-8 equals `bytes`.
  func hasBytes(_ bytes: Span<UInt8>) -> Bool {
    var text = self
    // SAFETY: the bytes are compared while they are lent.
    return text.withUTF8 { unsafe $0.span.isEqual(to: bytes) }
  }
}

extension Span<UInt8> {
  /// Whether both have the same bytes; not for secrets, because it stops at the first difference.
  fileprivate func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}
