package import LocalAuthClient
package import LocalAuthKeychain
package import LocalAuthSecret
import LocalAuthWire

/// Calls with Apple's dictionaries, for the module that has Apple's functions.
///
/// Each call blocks its caller, on any thread, and no other: the wait for a person happens on a
/// thread of LocalAuth's own.
extension Keychain {
  /// Adds the item that `dictionary` describes.
  package func add(
    _ dictionary: QueryDictionary,
    data: SecretBox?
  ) throws(KeychainFailure) -> RemoteAnswer {
    try performBlocking { (session) throws(KeychainFailure) in
      try session.add(dictionary, data?.take())
    }
  }

  /// Finds all items that `dictionary` selects, fetching a long list in pieces.
  package func copy(_ dictionary: QueryDictionary) throws(KeychainFailure) -> [RemoteItem] {
    try performBlocking { (session) throws(KeychainFailure) in
      var items: [RemoteItem] = []
      var cursor: String?
      repeat {
        let answer: RemoteAnswer
        do throws(KeychainFailure) {
          answer = try session.copy(dictionary, after: cursor, reason: dictionary.prompt)
        } catch {
          // The remaining items have been deleted since the last piece.
          guard error == .itemNotFound, cursor != nil else { throw error }
          return items
        }
        items += answer.items
        cursor = answer.next
      } while cursor != nil
      return items
    }
  }

  /// Changes the items that `dictionary` selects.
  package func update(
    _ dictionary: QueryDictionary,
    changes: QueryDictionary,
    data: SecretBox?
  ) throws(KeychainFailure) {
    _ = try performBlocking { (session) throws(KeychainFailure) in
      try session.update(dictionary, changes, data?.take(), reason: dictionary.prompt)
    }
  }

  /// Deletes the items that `dictionary` selects.
  package func delete(_ dictionary: QueryDictionary) throws(KeychainFailure) {
    _ = try performBlocking { (session) throws(KeychainFailure) in
      try session.delete(dictionary, reason: dictionary.prompt)
    }
  }

  /// Generates the private key that `dictionary` describes, and returns what `dictionary` asks for.
  package func generateKey(_ dictionary: QueryDictionary) throws(KeychainFailure) -> RemoteItem {
    try performBlocking { (session) throws(KeychainFailure) in try session.generateKey(dictionary) }
  }

  /// Signs with the private key that `dictionary` selects.
  package func sign(
    _ message: [UInt8],
    _ algorithm: KeyAlgorithm,
    _ dictionary: QueryDictionary
  ) throws(KeychainFailure) -> [UInt8] {
    try performBlocking { (session) throws(KeychainFailure) in
      try session.sign(message, algorithm, dictionary, reason: nil)
    }
  }

  /// Agrees on a secret with another key's owner, using the private key that `dictionary` selects.
  package func sharedSecret(
    with publicKey: [UInt8],
    _ algorithm: KeyAlgorithm,
    _ dictionary: QueryDictionary
  ) throws(KeychainFailure) -> SecretBox {
    try performBlocking { (session) throws(KeychainFailure) in
      try session.exchange(
        publicKey,
        algorithm,
        size: nil,
        sharedInfo: [],
        dictionary,
        reason: nil
      )
    }
  }
}

extension QueryDictionary {
  /// The call's own reason, which takes precedence over that of its context; nil if it has none.
  fileprivate var prompt: String? {
    guard case .text(let prompt)? = self[QueryKey.useOperationPrompt.rawValue], !prompt.isEmpty
    else { return nil }
    return prompt.cut(to: WireLimits().reasonBytesMax)
  }
}
