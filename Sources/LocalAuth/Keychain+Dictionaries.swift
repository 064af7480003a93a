package import LocalAuthClient
package import LocalAuthKeychain
package import LocalAuthSecret
import LocalAuthWire

/// Calls with Apple's dictionaries, for the face that has Apple's functions.
///
/// Each blocks its caller, which may be any thread, and holds up no other: what waits for a person
/// waits on a thread of LocalAuth's.
extension Keychain {
  /// Adds what `dictionary` describes.
  package func add(
    _ dictionary: QueryDictionary,
    data: SecretBox?
  ) throws(KeychainFailure) -> RemoteAnswer {
    try performBlocking { (session) throws(KeychainFailure) in
      try session.add(dictionary, data?.take())
    }
  }

  /// Finds what `dictionary` selects, the whole of a long list.
  package func copy(_ dictionary: QueryDictionary) throws(KeychainFailure) -> [RemoteItem] {
    try performBlocking { (session) throws(KeychainFailure) in
      var items: [RemoteItem] = []
      var cursor: String?
      repeat {
        let answer: RemoteAnswer
        do throws(KeychainFailure) {
          answer = try session.copy(dictionary, after: cursor, reason: dictionary.prompt)
        } catch {
          // What the cursor stood for was deleted meanwhile.
          guard error == .itemNotFound, cursor != nil else { throw error }
          return items
        }
        items += answer.items
        cursor = answer.next
      } while cursor != nil
      return items
    }
  }

  /// Changes what `dictionary` selects.
  package func update(
    _ dictionary: QueryDictionary,
    changes: QueryDictionary,
    data: SecretBox?
  ) throws(KeychainFailure) {
    _ = try performBlocking { (session) throws(KeychainFailure) in
      try session.update(dictionary, changes, data?.take(), reason: dictionary.prompt)
    }
  }

  /// Deletes what `dictionary` selects.
  package func delete(_ dictionary: QueryDictionary) throws(KeychainFailure) {
    _ = try performBlocking { (session) throws(KeychainFailure) in
      try session.delete(dictionary, reason: dictionary.prompt)
    }
  }

  /// Makes the private key that `dictionary` describes; what is answered of it is what that asks for.
  package func generateKey(_ dictionary: QueryDictionary) throws(KeychainFailure) -> RemoteItem {
    try performBlocking { (session) throws(KeychainFailure) in try session.generateKey(dictionary) }
  }

  /// Has the private key that `dictionary` selects sign.
  package func sign(
    _ message: [UInt8],
    _ algorithm: KeyAlgorithm,
    _ dictionary: QueryDictionary
  ) throws(KeychainFailure) -> [UInt8] {
    try performBlocking { (session) throws(KeychainFailure) in
      try session.sign(message, algorithm, dictionary, reason: nil)
    }
  }

  /// Has the private key that `dictionary` selects agree on a secret with the owner of another key.
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
  /// The call's own reason, which comes before that of its context; nil where it gives none.
  fileprivate var prompt: String? {
    guard case .text(let prompt)? = self[QueryKey.useOperationPrompt.rawValue], !prompt.isEmpty
    else { return nil }
    return prompt.cut(to: WireLimits().reasonBytesMax)
  }
}
