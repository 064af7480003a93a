/// Why a fixture could not be made.
public struct OpenSSLFailure: Error {
  /// What the program said.
  public let output: String
}

extension OpenSSLProgram {
  /// Options that make a key of a kind.
  public static let rsa = ["rsa:2048"]
  /// The same for P-256.
  public static let p256 = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]

  /// Runs the program, and throws what it said where it fails.
  public func check(_ arguments: [String]) throws(OpenSSLFailure) {
    guard run(arguments) else { throw OpenSSLFailure(output: output) }
  }

  /// Makes `name.key` and a certificate for it, `name.pem` and `name.der`.
  ///
  /// - Parameters:
  ///   - name: of the files.
  ///   - key: which kind of key.
  ///   - subject: as `-subj` takes it; each text in the narrowest kind of string that holds it.
  ///   - extensions: as `-addext` takes them; without any it is a certificate of version 1.
  ///   - issuer: the name of the issuer's files; nil for a certificate that issues itself.
  /// - Returns: the certificate in DER.
  /// - Throws: what the program said.
  public func certify(
    _ name: String,
    _ key: [String] = p256,
    subject: String,
    extensions: [String] = ["subjectKeyIdentifier=hash"],
    issuer: String? = nil
  ) throws(OpenSSLFailure) -> [UInt8] {
    let configuration = "[req]\nstring_mask=default\ndistinguished_name=name\n[name]\n"
    write(Array(configuration.utf8), to: "configuration")
    let issuing = issuer.map { ["-CA", "\($0).pem", "-CAkey", "\($0).key"] } ?? []
    try check(
      [
        "req", "-x509", "-config", "configuration", "-utf8", "-days", "30", "-nodes", "-subj",
        subject, "-keyout", "\(name).key", "-out", "\(name).pem", "-newkey",
      ] + key + issuing + extensions.flatMap { ["-addext", $0] }
    )
    try check(["x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der"])
    return read("\(name).der")
  }

  /// The key and the certificate `name` in a file of PKCS #12.
  public func bundle(
    _ name: String,
    passphrase: String,
    _ options: [String] = []
  ) throws(OpenSSLFailure) -> [UInt8] {
    try check(
      [
        "pkcs12", "-export", "-in", "\(name).pem", "-inkey", "\(name).key", "-passout",
        "pass:\(passphrase)", "-out", "\(name).p12",
      ] + options
    )
    return read("\(name).p12")
  }
}
