import LocalAuthCore
public import LocalAuthKeychain

/// Which access group on which device a call is about, and what its caller may.
public struct GroupRequest {
  /// The device; the user's own machine if nil.
  public var device: String?
  /// Whether a simulated device counts.
  public var allowsSimulated = false
  /// The access group, which is one of the caller's; the first if nil.
  public var group: String?
  /// The caller's access groups.
  public var groups: AccessGroups
  /// Who is not told of its own changes.
  public var writer: UInt64?

  /// A request about a group on `device`, of a caller with these groups.
  public init(of device: String?, _ group: String?, groups: AccessGroups) {
    self.device = device
    self.group = group
    self.groups = groups
  }
}

/// An access group on a device, whose programs share what is kept under its name.
struct GroupPlace {
  /// The protection of what is kept: it is read and written while the device is locked.
  static let protection = ProtectionClass.afterFirstUnlock

  let device: LiveDevice
  let group: String

  /// An item of the service's own, which keeps something of a group.
  static func item(
    _ identifier: ItemIdentifier,
    _ attributes: [ItemAttribute: AttributeValue],
    created: WallInstant,
    modified: WallInstant
  ) -> Item {
    Item(
      identifier: identifier,
      itemClass: .genericPassword,
      group: AccessGroups.internalGroup,
      accessControl: AccessControl(protection),
      created: created,
      modified: modified,
      attributes: attributes,
      hasData: true
    )
  }
}

extension Engine {
  /// The access group that a call is about.
  ///
  /// - Parameters:
  ///   - request: The group, and what the caller may.
  ///   - caller: Who asks.
  ///   - what: What is closed before the first unlock, in the plural.
  /// - Returns: the group on its device.
  /// - Throws: ``EngineError``: `refused` with why the group, or the device, is closed.
  func groupPlace(
    _ request: GroupRequest,
    _ caller: Caller,
    closing what: String
  ) throws(EngineError) -> GroupPlace {
    let device = try keyedDevice(named: request.device, request.allowsSimulated, caller)
    let chosen: String
    do throws(KeychainError) {
      chosen = try request.groups.groupToAdd(to: request.group.map { .text($0) })
    } catch {
      throw .refused(Outcome(error.outcome, detail: error.sentence))
    }
    guard isOpen(device) else {
      let detail = "The device was not unlocked since it was started: its \(what) are closed."
      throw .refused(Outcome(.itemLocked, detail: detail))
    }
    return GroupPlace(device: device, group: chosen)
  }

  /// Whether what groups keep on a device can be used: from its first unlock on.
  func isOpen(_ device: LiveDevice) -> Bool {
    device.canUse(GroupPlace.protection, at: device.now(clock.now()).boot)
  }

  /// Throws for a device that was restarted since a call began.
  func requireOpen(_ device: LiveDevice) throws(EngineError) {
    guard isOpen(device) else {
      let detail = "The device was restarted meanwhile; nothing was changed."
      throw .refused(Outcome(.itemLocked, detail: detail))
    }
  }
}

extension LiveDevice {
  /// The generic passwords that have a term, among them what the service keeps for groups.
  func passwords(with term: SearchTerm) -> ItemLookup {
    ItemLookup(
      device: identity,
      itemClass: .genericPassword,
      terms: [vault.hash(of: term)].compactMap { $0 }
    )
  }
}
