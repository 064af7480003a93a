import LocalAuth
import LocalAuthKeychain
import LocalAuthPKI
package import LocalAuthSecret

/// What the module SecureEnclave needs of a key that the keychain made.
extension SecKey {
  /// The bytes that name its item; nil for a key of the process's own and for one of no token.
  package var itemReference: Data? {
    guard case .keychainKey(let key) = material, key.token != nil else { return nil }
    return Data(key.reference.bytes)
  }

  /// Deletes its item, whichever device the caller means now and whatever became of its context.
  ///
  /// - Throws: an `NSError`: `errSecItemNotFound` where it is gone, `errSecParam` for any other key.
  package func deleteItem() throws {
    guard case .keychainKey(let key) = material else { throw KeyFailure.unsupported.error }
    let query: QueryDictionary = [
      QueryKey.valuePersistentReference.rawValue: .data(key.reference.bytes)
    ]
    do throws(KeychainFailure) {
      try Keychain(device: key.keychain.device, prompter: .nobody).delete(query)
    } catch {
      throw NSError(error)
    }
  }

  /// What it and another key of its curve agree on, in memory that is wiped.
  ///
  /// - Throws: an `NSError`, as `SecKeyCopyKeyExchangeResult` has it.
  package func sharedSecret(with peer: SecKey) throws -> Secret {
    do throws(KeyFailure) {
      return try sharedSecret(with: peer.publicKey)
    } catch {
      throw error.error
    }
  }
}
