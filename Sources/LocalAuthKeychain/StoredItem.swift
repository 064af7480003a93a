/// An item as it lies in the store, for the time of one call: its sealed bytes are borrowed.
@safe
public struct StoredItem: ~Copyable {
  /// What is known without opening anything.
  public let header: ItemHeader
  private let parts: Parts

  /// Where the parts that have no fixed size lie.
  @unsafe
  public struct Parts {
    /// The hashes it is found by: 17 bytes each, the attribute's number first.
    public var terms: UnsafeRawBufferPointer
    /// The encoding of its access control.
    public var accessControl: UnsafeRawBufferPointer
    /// Its own key, wrapped.
    public var wrappedKey: UnsafeRawBufferPointer
    /// Its attributes, sealed.
    public var attributes: UnsafeRawBufferPointer
    /// Its data, sealed; nil where it has none.
    public var secret: UnsafeRawBufferPointer?

    /// The parts at these places.
    @unsafe
    public init(
      terms: UnsafeRawBufferPointer,
      accessControl: UnsafeRawBufferPointer,
      wrappedKey: UnsafeRawBufferPointer,
      attributes: UnsafeRawBufferPointer,
      secret: UnsafeRawBufferPointer?
    ) {
      // SAFETY: the places are only kept; whoever makes this value answers for them.
      unsafe self.terms = terms
      unsafe self.accessControl = accessControl
      unsafe self.wrappedKey = wrappedKey
      unsafe self.attributes = attributes
      unsafe self.secret = secret
    }
  }

  /// The item whose parts lie at `parts`, which stay there as long as this value lives.
  @unsafe
  public init(header: ItemHeader, parts: Parts) {
    self.header = header
    // SAFETY: the caller promises that the places stay valid.
    unsafe self.parts = parts
  }

  /// Whether it has data.
  public var hasSecret: Bool {
    // SAFETY: the place is compared and not read.
    unsafe parts.secret != nil
  }

  /// Whether it is found by all of `terms`.
  public func isFound(by wanted: [TermHash]) -> Bool {
    // SAFETY: the place is valid as long as `self`.
    let terms = unsafe Self.terms(parts.terms)
    return wanted.allSatisfy { terms.contains($0) }
  }

  /// Lends the parts that opening it needs.
  public func withParts<R: ~Copyable, E>(
    _ body: (
      _ accessControl: RawSpan, _ wrappedKey: RawSpan, _ attributes: RawSpan, _ secret: RawSpan?
    ) throws(E) -> R
  ) throws(E) -> R {
    // SAFETY: the places are valid as long as `self`, which is borrowed; a span cannot leave `body`.
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

  /// A copy of everything, for whoever is going to write the item back.
  public func copied() -> SealedItem {
    // SAFETY: the places are valid as long as `self`, and everything is copied.
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

  /// The hashes of 17 bytes each; what is too short to be one is left out.
  private static func terms(_ bytes: UnsafeRawBufferPointer) -> [TermHash] {
    stride(from: 0, to: bytes.count - 16, by: 17).compactMap { start in
      // SAFETY: both indices are below the count.
      unsafe TermHash(attribute: bytes[start], bytes: bytes[(start + 1)..<(start + 17)])
    }
  }
}
