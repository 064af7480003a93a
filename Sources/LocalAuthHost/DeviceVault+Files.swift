import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret

/// The keys of protected files.
extension DeviceVault {
  func makeFileKey(_ protection: FileProtection) -> (key: SecretBox, wrapped: WrappedFileKey)? {
    fileKeyCipher(protection)?.makeKey()
  }

  func openFileKey(_ wrapped: WrappedFileKey) -> SecretBox? {
    guard let key = fileKeyCipher(wrapped.protection)?.open(wrapped) else { return nil }
    return SecretBox(key)
  }
}
