import CLocalAuthOpenSSL
import LocalAuthSecret

/// The library's form of a key, freed (and wiped, if private) when the value is destroyed.
@safe struct PKey: ~Copyable {
  let pointer: OpaquePointer
  let shape: KeyShape

  /// Takes ownership of a key from the library; throws `error` if it is nil.
  init(_ made: OpaquePointer?, orThrow error: PKIError) throws(PKIError) {
    guard let made = unsafe made else { throw error }
    guard let shape = unsafe Self.shape(of: made) else {
      unsafe EVP_PKEY_free(made)
      throw .unsupported
    }
    unsafe pointer = made
    self.shape = shape
  }

  deinit { unsafe EVP_PKEY_free(pointer) }

  private static func shape(of key: OpaquePointer) -> KeyShape? {
    if unsafe la_pkey_is_rsa(key) {
      let bits = Int(unsafe EVP_PKEY_get_bits(key))
      return KeyShape.rsaBits.contains(bits) ? .rsa(bits: bits) : nil
    }
    // Curve names have at most 15 characters.
    var name = [CChar](repeating: 0, count: 32)
    // SAFETY: the array is lent with its size, and is zero-terminated.
    guard unsafe la_pkey_group(key, &name, name.count) else { return nil }
    let group = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
      as: UTF8.self
    )
    return NISTCurve(group: group).map { .curve($0) }
  }

  /// Whether both halves belong to the same key; not checked for RSA, where this takes longer than
  /// using the key.
  var isPair: Bool {
    switch shape {
    case .rsa: true
    case .curve: unsafe la_pkey_is_pair(pointer)
    }
  }

  /// Encrypts one block with RSA; nil if the library refuses.
  func encrypted(_ input: UnsafeRawBufferPointer, _ scheme: EncryptionScheme) -> [UInt8]? {
    var size = shape.blockSize
    var output = [UInt8](repeating: 0, count: size)
    // SAFETY: the caller lends the input with its size, and the output has room for one block.
    let isDone = unsafe output.withUnsafeMutableBytes { output in
      unsafe la_rsa_crypt(
        pointer,
        true,
        scheme.padding,
        scheme.hash?.rawValue,
        input.baseAddress,
        input.count,
        output.baseAddress,
        &size
      )
    }
    return isDone && size == output.count ? output : nil
  }

  // MARK: External representations

  /// The public half as PKCS #1, or `04 || X || Y`.
  func publicRepresentation() throws(PKIError) -> [UInt8] {
    switch shape {
    case .rsa:
      var size = 0
      guard unsafe la_rsa_write(pointer, false, nil, &size) else { throw .failed }
      var bytes = [UInt8](repeating: 0, count: size)
      // SAFETY: the array has as many bytes as the library asks for.
      guard unsafe la_rsa_write(pointer, false, &bytes, &size) else { throw .failed }
      return bytes
    case .curve(let curve):
      var bytes = [UInt8](repeating: 0, count: curve.pointSize)
      // SAFETY: the array has room for a point of this curve.
      guard unsafe la_ec_write(pointer, false, &bytes, bytes.count) else { throw .failed }
      return bytes
    }
  }

  /// The private half as PKCS #1, or `04 || X || Y || K`.
  func privateRepresentation() throws(PKIError) -> Secret {
    var size = 0
    switch shape {
    case .rsa: guard unsafe la_rsa_write(pointer, true, nil, &size) else { throw .failed }
    case .curve(let curve): size = curve.pointSize + curve.coordinateSize
    }
    var secret = Secret(capacity: size)
    // SAFETY: the secret has room for as many bytes as the library writes.
    let isDone = unsafe secret.withUnsafeMutableBytes { bytes, count in
      count = size
      switch shape {
      case .rsa: return unsafe la_rsa_write(pointer, true, bytes.baseAddress, &size)
      case .curve(let curve):
        return unsafe la_ec_write(pointer, true, bytes.baseAddress, curve.pointSize)
      }
    }
    guard isDone, size == secret.count else { throw .failed }
    return secret
  }
}
