import LocalAuthTestSupport
import Security
import Testing

/// The certificate that `name` has in the program's directory from then on.
func certificate(
  _ program: OpenSSLProgram,
  _ name: String,
  _ key: [String] = OpenSSLProgram.p256,
  subject: String? = nil,
  issuer: String? = nil
) throws -> SecCertificate {
  let der = try program.certify(name, key, subject: subject ?? "/CN=\(name)", issuer: issuer)
  return try #require(SecCertificateCreateWithData(nil, Data(der) as CFData))
}

/// What comes of reading a file.
func imported(
  _ file: [UInt8],
  _ options: [String: Any]
) -> (status: OSStatus, items: [[String: Any]]?) {
  var items: CFArray?
  let status = SecPKCS12Import(Data(file) as CFData, options as CFDictionary, &items)
  return (status, items as? [[String: Any]])
}

/// A certificate and its key.
func identity(
  _ program: OpenSSLProgram,
  _ name: String,
  _ key: [String] = OpenSSLProgram.p256,
  issuer: String? = nil
) throws -> SecIdentity {
  _ = try certificate(program, name, key, issuer: issuer)
  let file = try program.bundle(name, passphrase: "x")
  let items = imported(file, [kSecImportExportPassphrase: "x"]).items
  return try #require(items?.first?[kSecImportItemIdentity] as? SecIdentity)
}

func certificate(of identity: SecIdentity) throws -> SecCertificate {
  var certificate: SecCertificate?
  #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
  return try #require(certificate)
}

func privateKey(of identity: SecIdentity) throws -> SecKey {
  var key: SecKey?
  #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
  return try #require(key)
}

func add(_ item: [String: Any]) -> OSStatus { SecItemAdd(item as CFDictionary, nil) }

func copy(_ query: [String: Any]) -> (status: OSStatus, result: CFTypeRef?) {
  var result: CFTypeRef?
  let status = SecItemCopyMatching(query as CFDictionary, &result)
  return (status, result)
}

func delete(_ query: [String: Any]) -> OSStatus { SecItemDelete(query as CFDictionary) }

/// How many items of a class there are.
func count(_ itemClass: String, _ more: [String: Any] = [:]) -> Int {
  var query: [String: Any] = [
    kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
  ]
  query.merge(more) { _, new in new }
  return (copy(query).result as? [[String: Any]])?.count ?? 0
}
