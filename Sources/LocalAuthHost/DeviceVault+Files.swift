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
}
