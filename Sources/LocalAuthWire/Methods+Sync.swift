extension Methods {
  // MARK: io.localauth.Sync

  /// Founds a circle.
  public static let foundCircle: Method<SyncMessages.BeginCall, SyncMessages.ProvenReply> =
    .init(SyncMessages.interface, "Found", by: .owner, .stream, judging: [.passcode])

  /// Asks to join a circle.
  public static let joinCircle: Method<SyncMessages.BeginCall, SyncMessages.JoinReply> =
    .init(SyncMessages.interface, "Join", by: .owner, .stream, judging: [.passcode])

  /// Opens an invitation.
  public static let inviteDevice: Method<SyncMessages.DeviceCall, SyncMessages.InviteReply> =
    .init(SyncMessages.interface, "Invite", by: .owner, .once, judging: [])

  /// Looks whether a device answered the open invitation.
  public static let answeringDevice: Method<SyncMessages.DeviceCall, SyncMessages.AnsweringReply> =
    .init(SyncMessages.interface, "Answering", by: .owner, .once, judging: [])

  /// Lets the device in that answered.
  ///
  /// What a prompt judges is charged by the evaluation that shows it; of the call itself that is a passcode, here as in
  /// the other methods that take the owner's proof.
  public static let approveDevice: Method<SyncMessages.ApproveCall, SyncMessages.ProvenReply> =
    .init(SyncMessages.interface, "Approve", by: .owner, .stream, judging: [.passcode])

  /// Ends the open invitation.
  public static let declineDevice: Method<SyncMessages.DeviceCall, Empty> =
    .init(SyncMessages.interface, "Decline", by: .owner, .once, judging: [])

  /// Removes a device from the circle.
  public static let removePeer: Method<SyncMessages.RemoveCall, SyncMessages.ProvenReply> =
    .init(SyncMessages.interface, "Remove", by: .owner, .stream, judging: [.passcode])

  /// Has everything sealed with new keys.
  public static let rollKeys: Method<SyncMessages.DecisionCall, SyncMessages.ProvenReply> =
    .init(SyncMessages.interface, "Roll", by: .owner, .stream, judging: [.passcode])

  /// Begins anew with a hub that lost entries.
  public static let repairSync: Method<SyncMessages.DecisionCall, SyncMessages.ProvenReply> =
    .init(SyncMessages.interface, "Repair", by: .owner, .stream, judging: [.passcode])

  /// Asks a circle to let this device in by its recovery key.
  public static let recoverCircle: Method<SyncMessages.BeginCall, SyncMessages.ProvenReply> =
    .init(SyncMessages.interface, "Recover", by: .owner, .stream, judging: [.passcode])

  /// Makes a recovery key in place of the one before.
  public static let makeRecoveryKey:
    Method<SyncMessages.DecisionCall, SyncMessages.RecoveryKeyReply> =
      .init(SyncMessages.interface, "RecoveryKey", by: .owner, .stream, judging: [.passcode])

  /// What merges overruled.
  public static let syncConflicts: Method<SyncMessages.ListCall, SyncMessages.ConflictsReply> =
    .init(SyncMessages.interface, "Conflicts", by: .owner, .once, judging: [])

  /// Restores or throws away a version that a merge overruled.
  public static let resolveConflict: Method<SyncMessages.ResolveCall, Empty> =
    .init(SyncMessages.interface, "Resolve", by: .owner, .once, judging: [])

  /// The secrets that removed devices know.
  public static let exposedSecrets: Method<SyncMessages.ListCall, SyncMessages.ExposedReply> =
    .init(SyncMessages.interface, "Exposed", by: .owner, .once, judging: [])

  /// Has the hub asked at another address from now on.
  public static let moveHub: Method<SyncMessages.MoveCall, SyncMessages.ProvenReply> =
    .init(SyncMessages.interface, "Move", by: .owner, .stream, judging: [.passcode])

  /// Forgets the circle on this device.
  public static let leaveCircle: Method<SyncMessages.DecisionCall, SyncMessages.ProvenReply> =
    .init(SyncMessages.interface, "Leave", by: .owner, .stream, judging: [.passcode])

  /// How the synchronization of a device stands.
  public static let syncStatus: Method<SyncMessages.DeviceCall, SyncMessages.StatusReply> =
    .init(SyncMessages.interface, "Status", by: .owner, .once, judging: [])

  /// Asks the hub now.
  public static let synchronize: Method<SyncMessages.DeviceCall, SyncMessages.StatusReply> =
    .init(SyncMessages.interface, "Synchronize", by: .owner, .once, judging: [])

  static let ofSync: [any AnyMethod] = [
    foundCircle, joinCircle, inviteDevice, answeringDevice, approveDevice, declineDevice,
    removePeer, rollKeys, repairSync, recoverCircle, makeRecoveryKey, syncConflicts,
    resolveConflict, exposedSecrets, moveHub, leaveCircle, syncStatus, synchronize,
  ]
}
