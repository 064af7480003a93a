// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthKeychain
import LocalAuthPKI
import LocalAuthSecret

/// Reads a PKCS #12 file: private keys with their certificates.
///
/// The items stay in memory unless `options` sets `kSecUseDataProtectionKeychain` and not
/// `kSecImportToMemoryOnly`: then they are added to the keychain with the attributes in the options. Items that exist already are
/// unchanged.
///
/// - Parameters:
///   - pkcs12_data: the file, at most 1 MiB.
///   - options: the passphrase under `kSecImportExportPassphrase`; without one it is empty.
///   - items: receives a list of dictionaries. Each has an identity, its label, the hash of its
///     key, and its certificate followed by those of its issuers in the file. A last one may have
///     the remaining certificates. None has `kSecImportItemTrust`.
/// - Returns: `errSecSuccess`; `errSecAuthFailed` for a wrong passphrase; `errSecDecode` if the
///   data is not such a file or has unsupported keys; `errSecParam` if the passphrase or a key of
///   the options is not a string; otherwise the status of the last addition to the keychain that
///   failed.
@discardableResult
public func SecPKCS12Import(
  _ pkcs12_data: CFData,
  _ options: CFDictionary,
  _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  ItemStatus.of { () throws(ItemStatus) in
    guard let options = options as? [String: Any],
      let passphrase = (options[kSecImportExportPassphrase] ?? "") as? String
    else { throw .param }
    let file: PKCS12
    do throws(PKIError) {
      file = try PKCS12([UInt8](pkcs12_data as Data), passphrase: Secret(Data(passphrase.utf8)))
    } catch {
      throw ItemStatus(importing: error)
    }
    let found = try ImportedItem.all(in: file)
    unsafe items.pointee = found.map(\.dictionary) as CFArray
    guard options[kSecUseDataProtectionKeychain] as? Bool == true,
      options[kSecImportToMemoryOnly] as? Bool != true
    else { return }
    var failure: ItemStatus?
    for item in found {
      do throws(ItemStatus) { try item.add(with: options) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

/// An identity of a file, or the certificates that belong to none.
private struct ImportedItem {
  var identity: SecIdentity?
  var label: String?
  let chain: [SecCertificate]

  static func all(in file: PKCS12) throws(ItemStatus) -> [Self] {
    var all: [Self] = []
    for found in file.identities {
      let chain = ([found.certificate] + found.issuers).map { SecCertificate($0) }
      guard let identity = SecIdentity(chain[0], SecKey(.privateKey(found.privateKey))) else {
        throw ItemStatus(.decode)
      }
      let label = found.certificate.subjectSummary ?? found.label
      all.append(Self(identity: identity, label: label, chain: chain))
    }
    if !file.otherCertificates.isEmpty {
      all.append(Self(chain: file.otherCertificates.map { SecCertificate($0) }))
    }
    return all
  }

  var dictionary: [String: Any] {
    var dictionary: [String: Any] = [kSecImportItemCertChain: chain]
    if let identity {
      dictionary[kSecImportItemIdentity] = identity
      dictionary[kSecImportItemKeyID] = Data(identity.certificate.certificate.publicKeyHash)
    }
    dictionary[kSecImportItemLabel] = label
    return dictionary
  }

  /// Adds what does not exist yet; an identity's own certificate is the first of its chain.
  func add(with options: [String: Any]) throws(ItemStatus) {
    var item = options
    for key in [
      kSecImportExportPassphrase, kSecImportExportKeychain, kSecImportExportAccess,
      kSecImportToMemoryOnly,
    ] {
      item[key] = nil
    }
    let identities: [AnyObject] = identity.map { [$0] } ?? []
    for (itemClass, object) in identities.map({ (kSecClassIdentity, $0) })
      + chain.dropFirst(identities.count).map({ (kSecClassCertificate, $0) })
    {
      item[kSecClass] = itemClass
      item[kSecValueRef] = object
      let failure = ItemStatus(code: SecItemAdd(item as CFDictionary, nil))
      if let failure, failure != ItemStatus(.duplicateItem) { throw failure }
    }
  }
}

extension ItemStatus {
  /// The status of an import that failed with `error`.
  fileprivate init(importing error: PKIError) {
    switch error {
    case .wrongPassphrase: self.init(.authFailed)
    case .malformed, .unsupported, .unsuitable, .size, .undecryptable: self.init(.decode)
    case .failed: self.init(.internalFailure)
    }
  }
}
