import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret

/// The keys of protected files.
extension DeviceVault {
  func makeFileKey(_ protection: FileProtection) -> (key: SecretBox, wrapped: WrappedFileKey)? {
    guard protection == .completeUnlessOpen else { return fileKeyCipher(protection)?.makeKey() }
    return publicFileKey.flatMap { UnlessOpenCipher.makeKey(for: $0, of: label) }
  }

  func openFileKey(_ wrapped: WrappedFileKey) -> SecretBox? {
    let key =
      wrapped.protection == .completeUnlessOpen
      ? openUnlessOpen(wrapped) : fileKeyCipher(wrapped.protection)?.open(wrapped)
    guard let key else { return nil }
    return SecretBox(key)
  }

  func fileProtectionKey(_ protection: FileProtection) -> (name: String, key: SecretBox)? {
    guard let key = protectionKey(protection) else { return nil }
    return (key.name, SecretBox(key.bytes))
  }

  func name(of key: borrowing Secret, opening protection: FileProtection) -> String? {
    guard let key = FileProtectionKey(bytes: key), key.protection == protection else { return nil }
    return key.name
  }

  func openFileKey(_ wrapped: WrappedFileKey, with key: borrowing Secret) -> SecretBox? {
    guard let opened = FileProtectionKey(bytes: key)?.open(wrapped) else { return nil }
    return SecretBox(opened)
  }
}
