public import LocalAuthCore
public import LocalAuthSync

/// Why something between devices was not done.
public enum SyncFailure: Error, Hashable, Sendable {
  /// The device is in no circle.
  case notMember
  /// It founds a circle or joins one, and is not in it yet.
  case onItsWay
  /// It is in a circle already, or on its way into one.
  case alreadyMember
  /// The hub could not be reached, or refused.
  case hub(HubError)
  /// There is no open invitation, or nobody answered it yet.
  case noInvitation
  /// Another device answered an invitation than the one that the person was shown.
  case otherDevice
  /// The code is none, or the hub has nothing for it.
  case wrongCode
  /// Somebody else changed the circle meanwhile.
  case circleChanged
  /// The circle has had as many devices and recovery keys as it may ever have.
  case circleFull
  /// There is no such device in the circle.
  case noSuchPeer
  /// The device cannot remove itself while it is the last one.
  case lastMember
  /// What the device kept was changed, or an older state was put back.
  case stateWasChanged
  /// The device was removed from its circle.
  case removed
  /// The hub lied, and a person has to decide.
  case alarm
  /// The hub lost entries, and a person has to say that the device goes on without them before it does this.
  case unrepaired
  /// There is nothing to repair.
  case nothingToRepair
  /// No such version lost, or it cannot be read now.
  case noSuchConflict
  /// The device could not keep what was to be done.
  case notStored
  /// The row that stands has no room for the columns that were overruled.
  case rowTooLarge
  /// The hub shows another circle than the recovery key is of, or keeps something of it back.
  case otherCircle
  /// The circle has no such recovery key.
  case noSuchRecoveryKey
  /// The hub at another address has not what was verified: of a zone, or of the circle's log.
  case otherHub(ZoneName?)
  /// The hub at another address ends before what was verified, of a zone or of the circle's log.
  case olderHub(ZoneName?, verified: UInt64, offered: UInt64)
  /// Not all zones have new keys, because something of the hub's was not read here.
  case incomplete
  /// The device was locked before it was done.
  case locked

  init(_ failure: HubError?) {
    self = failure.map { .hub($0) } ?? .alarm
  }

  /// How an act that it refused ended.
  public var outcome: OutcomeCode {
    switch self {
    case .hub(let error): error.isDenial ? .notPermitted : .unreachable
    case .notMember, .onItsWay, .noInvitation, .noSuchPeer, .noSuchConflict, .noSuchRecoveryKey:
      .itemNotFound
    case .alreadyMember, .circleChanged: .duplicateItem
    case .notStored: .internalError
    case .rowTooLarge: .keychainError
    case .locked: .itemLocked
    case .wrongCode, .circleFull, .lastMember, .stateWasChanged, .removed, .alarm,
      .unrepaired, .nothingToRepair, .otherCircle, .otherHub, .olderHub, .otherDevice, .incomplete:
      .notPermitted
    }
  }
}
