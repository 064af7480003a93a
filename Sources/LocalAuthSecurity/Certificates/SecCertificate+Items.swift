import LocalAuthClient
import LocalAuthKeychain
import LocalAuthPKI
import LocalAuthSecret

extension SecCertificate: KeychainObject {
  var itemClass: ItemClass { .certificate }

  func newItem() throws(ItemStatus) -> (attributes: QueryDictionary, data: SecretBox?) {
    var attributes = selection
    if let summary = certificate.subjectSummary {
      attributes[ItemAttribute.label.rawValue] = .text(summary)
    }
    return (attributes, SecretBox(Secret(Data(certificate.der))))
  }

  var selection: QueryDictionary {
    var query: QueryDictionary = [
      QueryKey.itemClass.rawValue: .text(ItemClass.certificate.rawValue),
      ItemAttribute.certificateType.rawValue: .number(Int64(certificate.version)),
      // DER, as CSSM counts encodings.
      ItemAttribute.certificateEncoding.rawValue: .number(3),
      ItemAttribute.subject.rawValue: .data(certificate.normalizedSubject),
      ItemAttribute.issuer.rawValue: .data(certificate.normalizedIssuer),
      ItemAttribute.serialNumber.rawValue: .data(certificate.serialNumber),
      ItemAttribute.publicKeyHash.rawValue: .data(certificate.publicKeyHash),
    ]
    if let identifier = certificate.subjectKeyIdentifier {
      query[ItemAttribute.subjectKeyID.rawValue] = .data(identifier)
    }
    return query
  }
}

extension SecCertificate {
  /// The certificate in the data of an item of class `cert` or of an identity.
  ///
  /// - Throws: `errSecDecode` for data that is not a certificate.
  convenience init(_ item: RemoteItem) throws(ItemStatus) {
    guard let secret = item.data?.copied()?.take(),
      let certificate = try? Certificate([UInt8](Data(secret)))
    else { throw ItemStatus(.decode) }
    self.init(certificate)
  }
}
