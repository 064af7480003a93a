import CLocalAuthOpenSSL
import LocalAuthSecret

/// The keys and certificates of a file, not yet matched with each other.
struct PKCS12Contents {
  struct KeyEntry {
    let key: ExternalPrivateKey
    let label: String?
    let keyIdentifier: [UInt8]?
  }

  struct CertificateEntry {
    let certificate: Certificate
    let label: String?
    let keyIdentifier: [UInt8]?
  }

  private(set) var keys: [KeyEntry] = []
  private(set) var certificates: [CertificateEntry] = []

  init(_ bytes: [UInt8], _ passphrase: borrowing Secret) throws(PKIError) {
    // SAFETY: file and passphrase are lent for as long as the opened file is used; it is closed
    // after that.
    self = try unsafe passphrase.withUnsafeBytes { (passphrase) throws(PKIError) -> Self in
      try unsafe bytes.span.withUnsafeBytes { (bytes) throws(PKIError) -> Self in
        var file = unsafe la_p12()
        defer { unsafe la_p12_close(&file) }
        let status = unsafe la_p12_open(
          &file,
          bytes.baseAddress,
          bytes.count,
          passphrase.baseAddress,
          passphrase.count,
          PKCS12.maximumRounds
        )
        if let error = PKIError(status) { throw error }
        return try unsafe PKCS12Contents(&file)
      }
    }
  }

  @unsafe
  private init(_ file: inout la_p12) throws(PKIError) {
    let count = unsafe la_p12_count(&file)
    guard count <= PKCS12.maximumCount else { throw .unsupported }
    for index in 0..<count {
      // SAFETY: the index is that of a bag of the open file.
      switch unsafe la_p12_kind(&file, index) {
      case LA_P12_KEY: keys.append(try unsafe KeyEntry(&file, index))
      case LA_P12_CERTIFICATE: certificates.append(try unsafe CertificateEntry(&file, index))
      default: break
      }
    }
  }
}

extension PKIError {
  /// The error for a status; nil for success.
  fileprivate init?(_ status: la_p12_status) {
    switch status {
    case LA_P12_DONE: return nil
    case LA_P12_MALFORMED: self = .malformed
    case LA_P12_UNSUPPORTED: self = .unsupported
    case LA_P12_WRONG_PASSPHRASE: self = .wrongPassphrase
    default: self = .failed
    }
  }
}

// MARK: One bag

// SAFETY, for all of these: the file is open, the index is that of one of its bags, and bytes that
// a call lends or allocates are copied before the next call, and freed if allocated.

extension PKCS12Contents.CertificateEntry {
  @unsafe
  fileprivate init(_ file: inout la_p12, _ index: Int32) throws(PKIError) {
    var size = 0
    guard let bytes = unsafe la_p12_certificate(&file, index, &size) else { throw .malformed }
    defer { unsafe la_p12_free(bytes) }
    certificate = try Certificate(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: size)))
    label = unsafe PKCS12Contents.label(&file, index)
    keyIdentifier = unsafe PKCS12Contents.keyIdentifier(&file, index)
  }
}

extension PKCS12Contents.KeyEntry {
  @unsafe
  fileprivate init(_ file: inout la_p12, _ index: Int32) throws(PKIError) {
    var status = LA_P12_DONE
    guard let info = unsafe la_p12_key(&file, index, &status) else {
      throw PKIError(status) ?? .malformed
    }
    defer { unsafe la_p12_key_free(info) }
    let size = unsafe la_p12_key_size(info)
    guard size > 0 else { throw .malformed }
    var secret = Secret(capacity: size)
    let isWritten = unsafe secret.withUnsafeMutableBytes { bytes, count in
      count = size
      return unsafe la_p12_key_write(info, bytes.baseAddress)
    }
    guard isWritten else { throw .failed }
    key = try ExternalPrivateKey(pkcs8: secret)
    label = unsafe PKCS12Contents.label(&file, index)
    keyIdentifier = unsafe PKCS12Contents.keyIdentifier(&file, index)
  }
}

extension PKCS12Contents {
  @unsafe
  fileprivate static func label(_ file: inout la_p12, _ index: Int32) -> String? {
    guard let text = unsafe la_p12_label(&file, index) else { return nil }
    defer { unsafe la_p12_free(text) }
    return unsafe String(cString: text)
  }

  @unsafe
  fileprivate static func keyIdentifier(_ file: inout la_p12, _ index: Int32) -> [UInt8]? {
    var size = 0
    guard let bytes = unsafe la_p12_key_identifier(&file, index, &size) else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: size))
  }
}
