import CLocalAuthOpenSSL

/// The two ways to write a signature of ECDSA.
public enum ECDSASignature {
  /// The DER of ANSI X9.62 as `r || s` (RFC 4754), each as long as a coordinate of the key's curve.
  ///
  /// - Throws: ``PKIError/malformed``; ``PKIError/unsuitable`` for RSA.
  public static func plain(_ der: [UInt8], for key: ExternalPublicKey) throws(PKIError) -> [UInt8] {
    try plain(der, coordinateSize: half(of: key))
  }

  /// The same for any key of a curve whose coordinates have so many bytes.
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

  /// `r || s` as the DER of ANSI X9.62.
  ///
  /// - Throws: ``PKIError/malformed`` for another size; ``PKIError/unsuitable`` for RSA.
  public static func der(_ plain: [UInt8], for key: ExternalPublicKey) throws(PKIError) -> [UInt8] {
    try der(plain, coordinateSize: half(of: key))
  }

  /// The same for any key of a curve whose coordinates have so many bytes.
  ///
  /// - Throws: ``PKIError/malformed`` for another size.
  public static func der(_ plain: [UInt8], coordinateSize half: Int) throws(PKIError) -> [UInt8] {
    guard plain.count == 2 * half else { throw .malformed }
    var size = Int(LA_ECDSA_MAX)
    var der = [UInt8](repeating: 0, count: size)
    // SAFETY: both halves are there, and the output has room for the longest signature.
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
