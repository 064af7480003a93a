/// The signed part of a certificate (TBSCertificate).
struct CertificateBody {
  let version: Int
  let serialNumber: ArraySlice<UInt8>
  let issuer: DistinguishedName
  let notBefore: Int64
  let notAfter: Int64
  let subject: DistinguishedName
  let publicKeyInfo: ArraySlice<UInt8>
  let publicKey: ArraySlice<UInt8>
  private(set) var subjectKeyIdentifier: ArraySlice<UInt8>?
  private(set) var alternativeNames: [DERElement] = []

  init(_ element: DERElement) throws(PKIError) {
    var reader = DERReader(element.content)
    version = try Self.version(&reader)
    serialNumber = try reader.next(DERTag.integer).content
    // RFC 5280 allows 20; Apple also accepts the longer ones that some issuers write.
    guard (1...37).contains(serialNumber.count) else { throw .malformed }
    try Self.checkAlgorithm(try reader.next(DERTag.sequence))
    issuer = try DistinguishedName(content: try reader.next(DERTag.sequence).content)
    var validity = DERReader(try reader.next(DERTag.sequence).content)
    notBefore = try CertificateTime.seconds(try validity.next())
    notAfter = try CertificateTime.seconds(try validity.next())
    try validity.finish()
    subject = try DistinguishedName(content: try reader.next(DERTag.sequence).content)
    let info = try reader.next(DERTag.sequence)
    publicKeyInfo = info.whole
    publicKey = try Self.publicKey(info)
    // The unique identifiers of issuer and subject, which are ignored.
    _ = try reader.next(ifTagged: DERTag.context(1, isConstructed: false))
    _ = try reader.next(ifTagged: DERTag.context(2, isConstructed: false))
    let wrapped = try reader.next(ifTagged: DERTag.context(3, isConstructed: true))
    try reader.finish()
    if let wrapped { try readExtensions(wrapped.content) }
  }

  /// Reads the version; if it is absent, the version is 1.
  private static func version(_ reader: inout DERReader) throws(PKIError) -> Int {
    let tag = DERTag.context(0, isConstructed: true)
    guard let wrapped = try reader.next(ifTagged: tag) else { return 1 }
    let number = try DERReader.only(DERTag.integer, in: wrapped.content).content
    guard number.count == 1, let value = number.first, value == 1 || value == 2 else {
      throw .malformed
    }
    return Int(value) + 1
  }

  /// Throws unless `element` is an algorithm identifier, with or without parameters.
  static func checkAlgorithm(_ element: DERElement) throws(PKIError) {
    var reader = DERReader(element.content)
    guard try !reader.next(DERTag.objectIdentifier).content.isEmpty else { throw .malformed }
    if !reader.isAtEnd { _ = try reader.next() }
    try reader.finish()
  }

  /// The bytes of a BIT STRING.
  static func bits(_ element: DERElement) throws(PKIError) -> ArraySlice<UInt8> {
    guard let unused = element.content.first, unused < 8, unused == 0 || element.content.count > 1
    else { throw .malformed }
    return element.content.dropFirst()
  }

  private static func publicKey(_ info: DERElement) throws(PKIError) -> ArraySlice<UInt8> {
    var reader = DERReader(info.content)
    try checkAlgorithm(try reader.next(DERTag.sequence))
    let key = try bits(try reader.next(DERTag.bitString))
    try reader.finish()
    return key
  }
}

// MARK: Extensions

extension CertificateBody {
  private mutating func readExtensions(_ wrapped: ArraySlice<UInt8>) throws(PKIError) {
    var list = DERReader(try DERReader.only(DERTag.sequence, in: wrapped).content)
    repeat {
      var reader = DERReader(try list.next(DERTag.sequence).content)
      let type = try reader.next(DERTag.objectIdentifier).content
      let flag = try reader.next(ifTagged: DERTag.boolean)?.content
      guard flag?.count ?? 1 == 1, flag?.first ?? 0 == 0 || flag?.first == 0xff else {
        throw .malformed
      }
      let value = try reader.next(DERTag.octetString).content
      try reader.finish()
      do throws(PKIError) {
        try readExtension(type, value)
      } catch {
        // A certificate is unusable without its critical extensions; others may be malformed.
        if flag?.first == 0xff { throw error }
      }
    } while !list.isAtEnd
  }

  private mutating func readExtension(
    _ type: ArraySlice<UInt8>,
    _ value: ArraySlice<UInt8>
  ) throws(PKIError) {
    if type.elementsEqual(X509Type.subjectKeyIdentifier) {
      let identifier = try DERReader.only(DERTag.octetString, in: value).content
      subjectKeyIdentifier = identifier.isEmpty ? nil : identifier
    } else if type.elementsEqual(X509Type.subjectAlternativeName) {
      var reader = DERReader(try DERReader.only(DERTag.sequence, in: value).content)
      var names: [DERElement] = []
      repeat { names.append(try reader.next()) } while !reader.isAtEnd
      guard names.allSatisfy({ $0.tag & 0xc0 == 0x80 && $0.tag & 0x1f <= 8 }) else {
        throw .malformed
      }
      alternativeNames = names
    }
  }
}
