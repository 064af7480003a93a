public import LocalAuthCore

/// What the program that is connected to a hub answers the daemon.
public enum HubReply: Hashable, Sendable {
  /// It is done, and there is nothing to say.
  case done
  /// It was not done, or nobody knows.
  case failed(HubError)
  /// Whether the entry was taken, and where.
  case pushed(PushAnswer)
  /// Entries of the circle's log, in their order; none if there are no more.
  case circle([CircleEntry])
  /// Entries and bodies of a zone.
  case zone(ZonePage)
  /// Bodies in the order of their names, and whether there are no more.
  case records(ZoneBodies, isLast: Bool)
  /// Where everything ends.
  case heads(HubHeads)
  /// The shares for this device, those of newer epochs first.
  case shares([KeyShare])
  /// Keys of older epochs.
  case olderKeys([OlderKeys])
  /// The latest checkpoint of a zone whose parts are all there, and how many those are.
  case checkpoint(ZoneCheckpoint?, parts: UInt16)
  /// A part of a manifest; nil if the hub has a later checkpoint by now.
  case manifest(ManifestPart?)
  /// Heartbeats in the order of their roles, and whether there are no more.
  case heartbeats([HubHeartbeat], isLast: Bool)
  /// What invited devices asked, by their roles.
  case requests([HubRole: [UInt8]])
  /// What the other side of an invitation said.
  case letter([UInt8]?)
  /// What nobody asked for; its number is 0.
  case notice(HubNotice)
}

/// What the program that is connected to a hub says by itself.
public enum HubNotice: Hashable, Sendable {
  /// Something may have come: the zones are to be pulled.
  case news
  /// It looked, and this is where everything ends.
  case looked(HubHeads)
  /// The hub could not be asked, or is lost.
  case failed(HubError)
}

/// Where everything ends, as a hub says.
public struct HubHeads: Hashable, Sendable {
  /// The circle's log.
  public let circle: ChainPlace
  /// The zones that have an entry.
  public let zones: [ZoneHead]
  /// The hub's clock.
  public let time: WallInstant

  /// The heads with these parts; zones are put into their order.
  public init(circle: ChainPlace, zones: [ZoneHead], time: WallInstant) {
    self.circle = circle
    self.zones = zones.sorted { $0.zone < $1.zone }
    self.time = time
  }
}

/// A heartbeat as a hub has it.
public struct HubHeartbeat: Hashable, Sendable {
  /// The role that brought it, by what the hub says.
  public let role: HubRole
  /// What that device signed.
  public let heartbeat: Heartbeat

  /// The heartbeat that `role` brought.
  public init(_ role: HubRole, _ heartbeat: Heartbeat) {
    self.role = role
    self.heartbeat = heartbeat
  }
}
