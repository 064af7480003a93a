import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret
public import LocalAuthSync

/// What people look at and decide in a circle, besides who is in it.
extension Engine {
  /// What merges overruled on the caller's device, as far as it is of the caller's access groups.
  public func syncConflicts(
    of request: CallerDevice,
    groups: AccessGroups
  ) throws(EngineError) -> [SyncConflict] {
    let device = try keyedDevice(request)
    return try synchronizer(of: device).conflicts(of: groups)
  }

  /// Restores or throws away a version that a merge overruled.
  ///
  /// It takes no passcode, as changing such an item takes none: the caller's access groups decide.
  public func resolveConflict(
    _ identifier: SyncDigest,
    _ decision: ConflictDecision,
    _ request: CallerDevice,
    groups: AccessGroups,
    then body: @escaping Completion
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      let member = try member(device)
      try requireUnlocked(device, "Only an unlocked device can tell what was overruled.")
      member.resolve(identifier, decision, in: groups) { body($0.mapError { .sync($0) }) }
    }
  }

  /// The secrets that removed devices had read and that were not changed since, as far as they are of the caller's access
  /// groups, and those that are not open.
  public func exposedSecrets(
    of request: CallerDevice,
    groups: AccessGroups
  ) throws(EngineError) -> [ExposedSecret] {
    let device = try keyedDevice(request)
    return try synchronizer(of: device).exposed(to: groups)
  }

  /// The removed devices of which the caller's device cannot say what they know, by the time of their removal.
  public func unlistedPeers(of request: CallerDevice) throws(EngineError) -> [UnlistedPeer] {
    try synchronizer(of: try keyedDevice(request)).unlistedPeers
  }

  /// Makes a recovery key in place of the one before, after the owner's proof; `body` gets what to print.
  public func makeRecoveryKey(
    _ request: CallerDevice,
    by proof: OwnersProof,
    then body: @escaping (Result<SecretBox, EngineError>) -> Void
  ) {
    onKeyedDevice(request, body) { [self] device throws(EngineError) in
      try requireUnlocked(device, "Only an unlocked device makes a recovery key.")
      proven(.recoveryKey, on: device, by: proof, request.caller, body) {
        $0.makeRecoveryKey(then: $1)
      }
    }
  }
}
