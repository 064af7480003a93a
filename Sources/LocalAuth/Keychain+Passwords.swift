public import LocalAuthKeychain
public import LocalAuthSecret

/// Secrets by account, each a generic password of the keychain's service.
///
/// These are for items that stay on this device: none of them is synchronizable.
extension Keychain {
  // MARK: Secrets

  /// Keeps a secret for an account, in place of the one that was there.
  ///
  /// Of two that are kept at once one stays, whole. An item that asks for proof asks for it also
  /// before it is changed; to replace it without, ``remove(_:)`` it first.
  ///
  /// - Parameters:
  ///   - secret: 64 KiB at most.
  ///   - account: whose.
  ///   - accessControl: when it can be opened, and what must be proven first; nil leaves that of an
  ///     item that is there as it is, and means `whenUnlocked` and nothing for a new one.
  ///   - reason: why somebody is asked; nil for the context's.
  /// - Throws: ``KeychainFailure``.
  public func set(
    _ secret: consuming Secret,
    for account: String,
    accessControl: AccessControl? = nil,
    reason: String? = nil
  ) async throws(KeychainFailure) {
    let box = SecretBox(secret)
    var query = grouped(.genericPasswords(service: service, account: account))
    query.reason = reason
    var item = NewKeychainItem.genericPassword(service: service, account: account)
    item.group = accessGroup
    item.accessControl = accessControl
    var changes = KeychainChanges()
    changes.accessControl = accessControl
    let replacement = Replacement(query: query, changes: changes, item: item)
    try await perform { (session) throws(KeychainFailure) in
      try replacement.perform(with: box.take(), in: &session)
    }
  }

  /// The secret of an account; nil where there is none.
  ///
  /// - Throws: ``KeychainFailure/locked``; ``KeychainFailure/authentication(_:)`` where it asks for
  ///   proof and there is none.
  public func secret(
    for account: String,
    reason: String? = nil
  ) async throws(KeychainFailure) -> Secret? {
    var query = KeychainQuery.genericPasswords(service: service, account: account)
    query.reason = reason
    return try await item(matching: query, withData: true)?.takeData()
  }

  /// Lends the secret of an account to `body` and wipes it afterwards.
  ///
  /// - Throws: ``KeychainFailure/itemNotFound`` where there is none; otherwise as
  ///   ``secret(for:reason:)``; and what `body` throws.
  public func withSecret<Value>(
    for account: String,
    reason: String? = nil,
    _ body: (borrowing Secret) throws -> Value
  ) async throws -> Value {
    guard let secret = try await secret(for: account, reason: reason) else {
      throw KeychainFailure.itemNotFound
    }
    return try body(secret)
  }

  // MARK: Accounts

  /// Whether there is a secret for an account; one that asks for proof asks for it here too.
  ///
  /// - Throws: as ``secret(for:reason:)``.
  public func contains(_ account: String) async throws(KeychainFailure) -> Bool {
    try await item(matching: .genericPasswords(service: service, account: account)) != nil
  }

  /// The accounts of the service, in no order.
  ///
  /// - Parameter interaction: whether somebody may be asked about items that ask for proof; `skip`
  ///   leaves them out.
  /// - Returns: their names; an account that is no text is left out.
  /// - Throws: as ``secret(for:reason:)``.
  public func accounts(
    interaction: InterfaceMode = .allow
  ) async throws(KeychainFailure) -> [String] {
    var query = KeychainQuery.genericPasswords(service: service)
    query.interaction = interaction
    return try await items(matching: query).compactMap { $0.account }
  }

  /// Removes the secret of an account; nobody is asked for proof.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``KeychainFailure``.
  @discardableResult
  public func remove(_ account: String) async throws(KeychainFailure) -> Bool {
    try await delete(matching: .genericPasswords(service: service, account: account))
  }

  /// Removes every secret of the service; nobody is asked for proof.
  ///
  /// - Returns: whether there was any.
  /// - Throws: ``KeychainFailure``.
  @discardableResult
  public func removeAll() async throws(KeychainFailure) -> Bool {
    try await delete(matching: .genericPasswords(service: service))
  }
}

/// An item that is changed where it is there, and added where it is not.
private struct Replacement: Sendable {
  /// How often others may add and remove it in between.
  private static let attemptsMax = 100

  let query: KeychainQuery
  let changes: KeychainChanges
  let item: NewKeychainItem

  func perform(
    with secret: borrowing Secret?,
    in session: inout KeychainSession
  ) throws(KeychainFailure) {
    for _ in 1..<Self.attemptsMax {
      do throws(KeychainFailure) {
        return try update(with: secret, in: &session)
      } catch {
        guard error == .itemNotFound else { throw error }
      }
      do throws(KeychainFailure) {
        return try add(secret, in: &session)
      } catch {
        guard error == .duplicateItem else { throw error }
      }
    }
    try add(secret, in: &session)
  }

  private func update(
    with secret: borrowing Secret?,
    in session: inout KeychainSession
  ) throws(KeychainFailure) {
    _ = try session.update(query.selection, changes.dictionary, secret, reason: query.reason)
  }

  private func add(
    _ secret: borrowing Secret?,
    in session: inout KeychainSession
  ) throws(KeychainFailure) {
    _ = try session.add(item.dictionary, secret)
  }
}
