public import LocalAuthKeychain
public import LocalAuthSecret

/// Secrets by account, each stored as a generic password of the keychain's service.
///
/// These calls use items that stay on this device: none of them is synchronizable.
extension Keychain {
  // MARK: Secrets

  /// Stores a secret for an account, replacing an earlier one.
  ///
  /// If two secrets are stored concurrently, one of them remains, intact. An item that requires
  /// proof requires it also before a change; to replace it without proof, call ``remove(_:)``
  /// first.
  ///
  /// - Parameters:
  ///   - secret: the secret, 64 KiB at most.
  ///   - account: the account.
  ///   - accessControl: when the item can be opened, and with what proof; nil keeps that of an
  ///     existing item, and means `whenUnlocked` without proof for a new one.
  ///   - reason: the reason shown to the person; nil for the context's.
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

  /// Returns the secret of an account; nil if there is none.
  ///
  /// - Throws: ``KeychainFailure/locked``; ``KeychainFailure/authentication(_:)`` if the proof it
  ///   requires is not given.
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
  /// - Throws: ``KeychainFailure/itemNotFound`` if there is none; otherwise as
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

  /// Whether there is a secret for an account; checking requires the same proof as reading.
  ///
  /// - Throws: as ``secret(for:reason:)``.
  public func contains(_ account: String) async throws(KeychainFailure) -> Bool {
    try await item(matching: .genericPasswords(service: service, account: account)) != nil
  }

  /// Returns the accounts of the service, in unspecified order.
  ///
  /// - Parameter interaction: whether a person may be asked about items that require proof; `skip`
  ///   omits those items.
  /// - Returns: their names, without accounts that are not text.
  /// - Throws: as ``secret(for:reason:)``.
  public func accounts(
    interaction: InterfaceMode = .allow
  ) async throws(KeychainFailure) -> [String] {
    var query = KeychainQuery.genericPasswords(service: service)
    query.interaction = interaction
    return try await items(matching: query).compactMap { $0.account }
  }

  /// Removes the secret of an account, without asking for proof.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``KeychainFailure``.
  @discardableResult
  public func remove(_ account: String) async throws(KeychainFailure) -> Bool {
    try await delete(matching: .genericPasswords(service: service, account: account))
  }

  /// Removes every secret of the service, without asking for proof.
  ///
  /// - Returns: whether there were any.
  /// - Throws: ``KeychainFailure``.
  @discardableResult
  public func removeAll() async throws(KeychainFailure) -> Bool {
    try await delete(matching: .genericPasswords(service: service))
  }
}

/// Updates an item if it exists, and adds it if it does not.
private struct Replacement: Sendable {
  /// The limit of retries while others add and remove the item concurrently.
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
