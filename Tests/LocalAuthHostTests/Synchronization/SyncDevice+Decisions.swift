import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport

extension SyncDevice {
  /// What merges overruled.
  func conflicts(groups: [String] = ["local"]) throws -> [SyncConflict] {
    try engine.syncConflicts(of: callerDevice, groups: AccessGroups(groups))
  }

  func resolve(
    _ conflict: SyncDigest,
    _ decision: ConflictDecision,
    groups: [String] = ["local"]
  ) throws {
    try wait {
      engine.resolveConflict(
        conflict,
        decision,
        callerDevice,
        groups: AccessGroups(groups),
        then: $0
      )
    }
  }

  /// The secrets that removed devices know: the device's name, and the item's, which is a question mark while it is not
  /// open.
  func exposed(groups: [String] = ["local"]) throws -> [String] {
    try engine.exposedSecrets(
      of: callerDevice,
      groups: AccessGroups(groups)
    ).map { "\($0.peerName): \($0.item.map { $0.account ?? "" } ?? "?")" }.sorted()
  }

  /// The removed devices of which it cannot say what they know.
  func unlisted() throws -> [String] { try engine.unlistedPeers(of: callerDevice).map(\.peerName) }

  /// Changes what a person reads of an item, and not its secret.
  @discardableResult
  func update(_ account: String, _ changes: QueryDictionary) throws -> KeychainError? {
    try call(.update(query(account), changes: changes, data: nil)).error
  }

  func makeRecoveryKey(passcode: String? = "1234") throws -> SecretBox {
    try value {
      engine.makeRecoveryKey(callerDevice, by: OwnersProof(passcode.map { .of($0) }), then: $0)
    }
  }

  func recover(_ key: SecretBox, as name: String) throws {
    try wait {
      engine.recoverCircle(beginning(name), key: key, callerDevice, by: ownersProof, then: $0)
    }
    try synchronize()
  }
}

extension SyncConflict {
  /// The item's name; nil for a value, and while the device is locked.
  var item: ItemName? { if case .item(let name) = subject { name } else { nil } }
}
