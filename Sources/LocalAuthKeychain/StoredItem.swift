/// A stored item whose sealed bytes are borrowed for the duration of one call.
@safe
public struct StoredItem: ~Copyable {
  /// The part that can be read without opening the item.
  public let header: ItemHeader
  private let parts: Parts

  /// The locations of the parts of variable size.
  @unsafe
  public struct Parts {
    /// The search hashes: 17 bytes each, the attribute's number first.
    public var terms: UnsafeRawBufferPointer
    /// The encoding of its access control.
    public var accessControl: UnsafeRawBufferPointer
    /// Its own key, wrapped.
    public var wrappedKey: UnsafeRawBufferPointer
    /// Its attributes, sealed.
    public var attributes: UnsafeRawBufferPointer
    /// Its data, sealed; nil if it has none.
    public var secret: UnsafeRawBufferPointer?

    /// Creates the parts at these locations.
    @unsafe
    public init(
      terms: UnsafeRawBufferPointer,
      accessControl: UnsafeRawBufferPointer,
      wrappedKey: UnsafeRawBufferPointer,
      attributes: UnsafeRawBufferPointer,
      secret: UnsafeRawBufferPointer?
    ) {
      // SAFETY: the pointers are only stored; the caller that creates this value vouches for them.
      unsafe self.terms = terms
      unsafe self.accessControl = accessControl
      unsafe self.wrappedKey = wrappedKey
      unsafe self.attributes = attributes
      unsafe self.secret = secret
    }
  }

  /// Creates an item from `parts`, which must stay valid as long as this value lives.
  @unsafe
  public init(header: ItemHeader, parts: Parts) {
    self.header = header
    // SAFETY: the caller promises that the pointers stay valid.
    unsafe self.parts = parts
  }

  /// Whether it has data.
  public var hasSecret: Bool {
    // SAFETY: the pointer is compared and not read.
    unsafe parts.secret != nil
  }

  /// Whether the item has all of the `wanted` hashes.
  public func isFound(by wanted: [TermHash]) -> Bool {
    // SAFETY: the pointer is valid as long as `self`.
    let terms = unsafe Self.terms(parts.terms)
    return wanted.allSatisfy { terms.contains($0) }
  }

  /// Whether the item has at least one of the hashes.
  public func isFound(byAnyOf hashes: [TermHash]) -> Bool {
    // SAFETY: the pointer is valid as long as `self`.
    let terms = unsafe Self.terms(parts.terms)
    return hashes.contains { terms.contains($0) }
  }

  /// Lends the parts that are needed to open the item.
  public func withParts<R: ~Copyable, E>(
    _ body: (
      _ accessControl: RawSpan, _ wrappedKey: RawSpan, _ attributes: RawSpan, _ secret: RawSpan?
    ) throws(E) -> R
  ) throws(E) -> R {
    // SAFETY: the pointers are valid as long as `self`, which is borrowed; a span cannot leave
    // `body`.
    let accessControl = unsafe RawSpan(_unsafeBytes: parts.accessControl)
    let wrappedKey = unsafe RawSpan(_unsafeBytes: parts.wrappedKey)
    let attributes = unsafe RawSpan(_unsafeBytes: parts.attributes)
    guard let place = unsafe parts.secret else {
      return try body(accessControl, wrappedKey, attributes, nil)
    }
    // SAFETY: as above.
    let secret = unsafe RawSpan(_unsafeBytes: place)
    return try body(accessControl, wrappedKey, attributes, secret)
  }

  /// Copies all parts, for writing the item back.
  public func copied() -> SealedItem {
    // SAFETY: the pointers are valid as long as `self`, and everything is copied.
    unsafe SealedItem(
      header: header,
      terms: Self.terms(parts.terms),
      accessControl: Array(parts.accessControl),
      wrappedKey: Array(parts.wrappedKey),
      attributes: Array(parts.attributes),
      // SAFETY: as above.
      secret: parts.secret.map { unsafe Array($0) }
    )
  }

  /// Splits the bytes into hashes of 17 bytes each; a shorter remainder is dropped.
  private static func terms(_ bytes: UnsafeRawBufferPointer) -> [TermHash] {
    stride(from: 0, to: bytes.count - 16, by: 17).compactMap { start in
      // SAFETY: both indices are below the count.
      unsafe TermHash(attribute: bytes[start], bytes: bytes[(start + 1)..<(start + 17)])
    }
  }
}
