import LocalAuthKeychain
public import LocalAuthSecret

extension PrivateKey {
  /// Reads a P-256 key in the ANSI X9.63 format of Apple's external representation: `04 || X || Y
  /// || K`.
  ///
  /// - Throws: ``KeyError/malformed``, ``KeyError/outOfRange``, ``KeyError/publicKeyDiffers``.
  public init(x963 key: borrowing Secret) throws(KeyError) {
    let pointSize = KeyCurve.p256.publicKeySize
    guard key.count == pointSize + Self.serializedSize else { throw .malformed }
    try self.init(.p256, key, scalar: pointSize..<key.count, point: 0..<pointSize)
  }

  /// Reads a PKCS #8 key (RFC 5208, RFC 5958) in DER: P-256 (RFC 5915) or Ed25519 (RFC 8410).
  ///
  /// Encrypted keys, other curves, explicit curve parameters and trailing bytes are refused.
  /// - Throws: ``KeyError/malformed``, ``KeyError/unsupported``, ``KeyError/outOfRange``,
  ///   ``KeyError/publicKeyDiffers``.
  public init(pkcs8 key: borrowing Secret) throws(KeyError) {
    // SAFETY: the bytes are only read, within the closure.
    let found = try unsafe key.withUnsafeBytes { (bytes) throws(KeyError) -> PKCS8 in
      try unsafe PKCS8(bytes.bindMemory(to: UInt8.self).span)
    }
    try self.init(found.curve, key, scalar: found.secret, point: found.publicKey)
  }

  private init(
    _ curve: KeyCurve,
    _ key: borrowing Secret,
    scalar: Range<Int>,
    point: Range<Int>?
  ) throws(KeyError) {
    // SAFETY: both ranges lie within the key; the bytes are copied into a secret and an array.
    let secret = unsafe key.withUnsafeBytes { key in
      unsafe Secret(copying: UnsafeRawBufferPointer(rebasing: key[scalar]))
    }
    let expected = unsafe key.withUnsafeBytes { key in
      point.map { point in unsafe Array(key[point]) }
    }
    try self.init(curve, secret, beside: expected)
  }
}

extension PublicKey {
  /// Whether `other` is this key, as an uncompressed or a compressed point.
  func isSame(as other: [UInt8]) -> Bool {
    guard curve == .p256, other.count == 33 else { return other == bytes }
    let isOdd = (bytes.last ?? 0) & 1
    return other[0] == 2 | isOdd && other[1...] == bytes[1..<33]
  }
}

/// The location of the parts of a PKCS #8 key.
struct PKCS8 {
  let curve: KeyCurve
  let secret: Range<Int>
  let publicKey: Range<Int>?

  private static let p256Name: [UInt8] = [
    0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
  ]
  private static let p256: [UInt8] =
    [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01] + p256Name
  private static let ed25519: [UInt8] = [0x06, 0x03, 0x2B, 0x65, 0x70]

  init(_ bytes: borrowing Span<UInt8>) throws(KeyError) {
    var file = PKCS8Reader(0..<bytes.count)
    var key = PKCS8Reader(try file.next(.sequence, in: bytes))
    try file.end()
    let version = try key.next(.integer, in: bytes)
    guard version.count == 1, bytes[version.lowerBound] <= 1 else { throw .malformed }
    let algorithm = try key.next(.sequence, in: bytes)
    let content = try key.next(.octetString, in: bytes)
    _ = try key.nextIfPresent(.context0, in: bytes)
    let outer = try key.nextIfPresent(.implicit1, in: bytes).map {
      (bits) throws(KeyError) -> Range<Int> in try PKCS8Reader.wholeBytes(bits, in: bytes)
    }
    try key.end()
    guard outer == nil || bytes[version.lowerBound] == 1 else { throw .malformed }
    if PKCS8Reader.areEqual(algorithm, Self.ed25519, in: bytes) {
      curve = .ed25519
      var seed = PKCS8Reader(content)
      secret = try seed.next(.octetString, in: bytes)
      try seed.end()
      publicKey = outer
    } else if PKCS8Reader.areEqual(algorithm, Self.p256, in: bytes) {
      curve = .p256
      let inner: Range<Int>?
      (secret, inner) = try Self.elliptic(content, in: bytes)
      publicKey = inner ?? outer
    } else {
      throw .unsupported
    }
    guard secret.count == PrivateKey.serializedSize else { throw .malformed }
  }

  /// Parses an ECPrivateKey (RFC 5915).
  private static func elliptic(
    _ content: Range<Int>,
    in bytes: borrowing Span<UInt8>
  ) throws(KeyError) -> (Range<Int>, Range<Int>?) {
    var outside = PKCS8Reader(content)
    var key = PKCS8Reader(try outside.next(.sequence, in: bytes))
    try outside.end()
    guard PKCS8Reader.areEqual(try key.next(.integer, in: bytes), [1], in: bytes) else {
      throw .malformed
    }
    let scalar = try key.next(.octetString, in: bytes)
    if let named = try key.nextIfPresent(.context0, in: bytes) {
      guard PKCS8Reader.areEqual(named, p256Name, in: bytes) else { throw .unsupported }
    }
    guard let public1 = try key.nextIfPresent(.context1, in: bytes) else {
      try key.end()
      return (scalar, nil)
    }
    try key.end()
    var point = PKCS8Reader(public1)
    let bits = try point.next(.bitString, in: bytes)
    try point.end()
    return (scalar, try PKCS8Reader.wholeBytes(bits, in: bytes))
  }
}

/// Reads consecutive DER elements as ranges of the bytes, without copying.
struct PKCS8Reader {
  enum Tag: UInt8 {
    case integer = 0x02
    case bitString = 0x03
    case octetString = 0x04
    case sequence = 0x30
    case implicit1 = 0x81
    case context0 = 0xA0
    case context1 = 0xA1
  }

  private var position: Int
  private let limit: Int

  init(_ range: Range<Int>) {
    position = range.lowerBound
    limit = range.upperBound
  }

  /// The content of the next element, which must have tag `tag`.
  mutating func next(_ tag: Tag, in bytes: borrowing Span<UInt8>) throws(KeyError) -> Range<Int> {
    guard try byte(in: bytes) == tag.rawValue else { throw .malformed }
    var size = Int(try byte(in: bytes))
    switch size {
    case 0..<0x80: break
    case 0x81:
      size = Int(try byte(in: bytes))
      guard size >= 0x80 else { throw .malformed }
    case 0x82:
      size = Int(try byte(in: bytes)) << 8
      size |= Int(try byte(in: bytes))
      guard size >= 0x100 else { throw .malformed }
    default: throw .malformed
    }
    guard size <= limit - position else { throw .malformed }
    defer { position += size }
    return position..<position + size
  }

  /// The content of the next element; nil if it has another tag or there is none.
  mutating func nextIfPresent(
    _ tag: Tag,
    in bytes: borrowing Span<UInt8>
  ) throws(KeyError) -> Range<Int>? {
    guard position < limit, bytes[position] == tag.rawValue else { return nil }
    return try next(tag, in: bytes)
  }

  /// Throws if anything is left.
  func end() throws(KeyError) {
    guard position == limit else { throw .malformed }
  }

  /// The bytes of a bit string whose length is a multiple of 8.
  static func wholeBytes(
    _ bits: Range<Int>,
    in bytes: borrowing Span<UInt8>
  ) throws(KeyError) -> Range<Int> {
    guard !bits.isEmpty, bytes[bits.lowerBound] == 0 else { throw .malformed }
    return bits.dropFirst()
  }

  static func areEqual(
    _ range: Range<Int>,
    _ expected: [UInt8],
    in bytes: borrowing Span<UInt8>
  ) -> Bool {
    guard range.count == expected.count else { return false }
    for (index, byte) in zip(range, expected) where bytes[index] != byte { return false }
    return true
  }

  private mutating func byte(in bytes: borrowing Span<UInt8>) throws(KeyError) -> UInt8 {
    guard position < limit else { throw .malformed }
    defer { position += 1 }
    return bytes[position]
  }
}
