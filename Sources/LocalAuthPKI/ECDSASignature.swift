import CLocalAuthOpenSSL

/// Converts ECDSA signatures between their two formats.
public enum ECDSASignature {
  /// Converts ANSI X9.62 DER to `r || s` (RFC 4754), each as long as a coordinate of the key's
  /// curve.
  ///
  /// - Throws: ``PKIError/malformed``; ``PKIError/unsuitable`` for RSA.
  public static func plain(_ der: [UInt8], for key: ExternalPublicKey) throws(PKIError) -> [UInt8] {
    try plain(der, coordinateSize: half(of: key))
  }

  /// Converts ANSI X9.62 DER to `r || s` of `half` bytes each.
  ///
  /// - Throws: ``PKIError/malformed``.
  public static func plain(_ der: [UInt8], coordinateSize half: Int) throws(PKIError) -> [UInt8] {
    var halves = [UInt8](repeating: 0, count: 2 * half)
    // SAFETY: the arrays are lent with their sizes.
    let isDone = unsafe der.withUnsafeBytes { der in
      unsafe halves.withUnsafeMutableBytes { halves in
        unsafe la_ecdsa_split(der.baseAddress, der.count, halves.baseAddress, half)
      }
    }
    guard isDone else { throw .malformed }
    return halves
  }

  /// Converts `r || s` to ANSI X9.62 DER.
  ///
  /// - Throws: ``PKIError/malformed`` for any other size; ``PKIError/unsuitable`` for RSA.
  public static func der(_ plain: [UInt8], for key: ExternalPublicKey) throws(PKIError) -> [UInt8] {
    try der(plain, coordinateSize: half(of: key))
  }

  /// Converts `r || s` of `half` bytes each to ANSI X9.62 DER.
  ///
  /// - Throws: ``PKIError/malformed`` for any other size; ``PKIError/failed``.
  public static func der(_ plain: [UInt8], coordinateSize half: Int) throws(PKIError) -> [UInt8] {
    guard plain.count == 2 * half else { throw .malformed }
    var size = Int(LA_ECDSA_MAX)
    var der = [UInt8](repeating: 0, count: size)
    // SAFETY: `plain` holds both halves, and the output has room for the longest signature.
    let isDone = unsafe plain.withUnsafeBytes { plain in
      unsafe der.withUnsafeMutableBytes { der in
        unsafe la_ecdsa_join(plain.baseAddress, half, der.baseAddress, &size)
      }
    }
    guard isDone else { throw .failed }
    return Array(der.prefix(size))
  }

  private static func half(of key: ExternalPublicKey) throws(PKIError) -> Int {
    guard case .curve(let curve) = key.shape else { throw .unsuitable }
    return curve.coordinateSize
  }
}
