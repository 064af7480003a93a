/// What the daemon asks of a hub, by way of the program that is connected to it.
///
/// Nothing that comes back is believed: the daemon verifies entries, shares, heartbeats and checkpoints, and digests
/// bodies itself. Requests and their replies:
///
/// | request                                                    | reply                           |
/// |------------------------------------------------------------|---------------------------------|
/// | `connect`, and the password in a frame of its own          | `done`                          |
/// | `circlePush`, `zonePush`                                   | `pushed`                        |
/// | `circlePull`                                               | `circle`                        |
/// | `zonePull`                                                 | `zone`                          |
/// | `records`                                                  | `records`                       |
/// | `heads`                                                    | `heads`                         |
/// | `putShares`, `putOlderKeys`, `putCheckpoint`, `putHeartbeat` | `done`                        |
/// | `shares`, `olderKeys`, `heartbeats`                        | the same name                   |
/// | `checkpoint`, `manifest`                                   | the same name, nil for none     |
/// | `invite`, `revoke`, `ask`, `admit`, `setVerifier`, `tell`  | `done`                          |
/// | `offer`, `answer`                                          | `letter`, nil as long as none   |
/// | `requests`                                                 | `requests`                      |
///
/// Any of them may be answered by `failed`. A request that got no answer, or an `unreachable`, may have been done: each
/// can be sent again as it was.
public enum HubRequest: Hashable, Sendable {
  /// Begin to speak to this hub; once for each connection to the worker.
  ///
  /// The worker stays connected from then on, and connects again when it has to. Until it has, it answers
  /// `unreachable` at once.
  case connect(HubAddress)

  /// Append an entry to the circle's log, and end the role of the device that it removes.
  case circlePush(CircleEntry, removing: HubRemoval?)
  /// The entries of the circle's log behind this number, as many as fit a page.
  case circlePull(after: UInt64)

  /// Append an entry to its zone with the body of each record that it changes.
  case zonePush(ZoneEntry, ZoneBodies)
  /// The entries of a zone behind a number, at most so many and as many as fit a page.
  case zonePull(ZoneName, after: UInt64, limit: UInt16)
  /// The bodies that came with entries up to a number and are not changed since, behind a name: for a device that begins
  /// at a checkpoint there.
  case records(ZoneName, upTo: UInt64, after: RecordName?)
  /// Where everything ends, and the hub's clock.
  case heads

  /// Shares, at most 256 and all of one zone and epoch; this device's earlier ones for the same receivers go.
  case putShares([KeyShare])
  /// The shares for this device.
  case shares(PeerIdentifier)
  /// The keys of older epochs, wrapped under a newer one that begins at this number of the circle's log; what this
  /// device left under that epoch before goes.
  case putOlderKeys([OlderKeys], at: UInt64)
  /// Those that are wrapped under this epoch.
  case olderKeys(ZoneName, under: UInt32)

  /// One part of a checkpoint's manifest, and how many there are; the hub shows it when it has all.
  case putCheckpoint(ZoneCheckpoint, part: UInt16, of: UInt16, ManifestPart)
  /// The latest checkpoint of a zone.
  case checkpoint(ZoneName)
  /// A part of the manifest of the checkpoint at this place.
  case manifest(ZoneName, at: ChainPlace, part: UInt16)

  /// What this device says of itself.
  case putHeartbeat(Heartbeat)
  /// What all devices said last, behind this role, as many as fit a page.
  case heartbeats(after: HubRole?)

  /// Make a role for a device that is to join; the verifier is what PostgreSQL keeps of its password.
  case invite(HubRole, verifier: String, offer: [UInt8])
  /// End the role of a device that this one invited; nothing for one that has joined, or is gone.
  case revoke(HubRole)
  /// What the sponsor told this device.
  case offer
  /// Ask the sponsor to be let in.
  case ask([UInt8])
  /// What invited devices asked.
  case requests
  /// Let an invited device in, and tell it this; it was added by an entry of the circle's log, nil for a recovery key.
  case admit(HubRole, answer: [UInt8], entry: UInt64?)
  /// What the sponsor answered this device.
  case answer
  /// Another password for this device's role: nobody else may keep what it joined with.
  ///
  /// The worker goes on with the old one and cannot connect again with it: a new worker is to be connected.
  case setVerifier(String)
  /// Tell the other devices that there is something new.
  case tell

  /// The longest message between a sponsor and a joining device, in bytes.
  public static let letterMax = 4096
  /// The longest verifier, in bytes.
  public static let verifierMax = 256
  /// The most shares, or keys of older epochs, in one message.
  public static let sharesMax = 256

  /// Whether a push brings the body of each record that its entry changes, no other, and not too many bytes.
  public static func areComplete(_ bodies: ZoneBodies, of entry: ZoneEntry) -> Bool {
    let changed = entry.changes.filter { $0.body != nil }
    return changed.count == bodies.count && changed.allSatisfy { bodies[$0.name] != nil }
      && bodies.values.reduce(0) { $0 + $1.count } <= HubFrame.bodiesMax
  }
}

/// Whose role at the hub ends.
public struct HubRemoval: Hashable, Sendable {
  /// The entry of the circle's log that added it, by which the hub knows its role; 0 for a recovery key, whose role follows
  /// from it: a member could have told the hub that another role was added by its entry.
  public let entry: UInt64
  /// The role by which it called itself, where the hub does not know; nil if it never did.
  public let role: HubRole?
  /// What remains; nil if nobody else goes, and it is the same where the zones end.
  public let remaining: HubRemaining?

  /// The removal of who was added by this entry and called itself so.
  public init(entry: UInt64, role: HubRole?, remaining: HubRemaining? = nil) {
    self.entry = entry
    self.role = role
    self.remaining = remaining
  }
}

/// What a circle has besides a device that is removed: roles that belong to nobody of these go with it.
public struct HubRemaining: Hashable, Sendable {
  /// The entries of the circle's log that added the other devices, and the recovery key.
  public let entries: [UInt64]
  /// The role of the recovery key, which a hub of before version 9 knows by nothing else.
  public let roles: [HubRole]
  /// Where the zones end that the author of the removal has verified; the hub takes the removal at these places only.
  public let heads: [ZoneHead]

  /// What remains.
  public init(entries: [UInt64], roles: [HubRole], heads: [ZoneHead]) {
    self.entries = entries
    self.roles = roles
    self.heads = heads
  }
}

/// The keys of an older epoch, wrapped under those of a newer one.
public struct OlderKeys: Hashable, Sendable {
  /// The longest wrapped keys, in bytes.
  public static let wrappedMax = 256

  /// The zone.
  public let zone: ZoneName
  /// The epoch that they are of.
  public let epoch: UInt32
  /// The epoch that they are wrapped under.
  public let newer: UInt32
  /// The wrapped keys.
  public let wrapped: [UInt8]

  /// The keys with these parts; nil unless one epoch is older than the other, and for too many bytes.
  public init?(_ zone: ZoneName, epoch: UInt32, under newer: UInt32, wrapped: [UInt8]) {
    guard epoch < newer, (1...Self.wrappedMax).contains(wrapped.count) else { return nil }
    self.zone = zone
    self.epoch = epoch
    self.newer = newer
    self.wrapped = wrapped
  }
}
