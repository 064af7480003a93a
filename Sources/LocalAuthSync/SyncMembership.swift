/// What a device is in its circle, as it keeps it.
public struct SyncMembership: Hashable, Sendable {
  /// How far it has come.
  public enum Stage: Hashable, Sendable {
    /// It founds the circle by this entry, which may have reached the hub.
    case founding(CircleEntry)
    /// It asked its sponsor by this request, which may have reached the hub.
    case joining(JoinRequest)
    /// It is a member, or was.
    case member
  }

  private static let purpose: StaticString = "LocalAuth sync row membership 1"
  private static let sealedMax = 1024

  /// The hub, and the device's role there.
  public var address: HubAddress
  /// The role's password, sealed by the device.
  public var sealedPassword: [UInt8]
  /// Whether others know the password too, because it follows from a code.
  public var isPasswordShared = true
  /// The password that takes its place, which the hub may know by now, sealed by the device.
  public var nextPassword: [UInt8]?
  /// The name that people know the device by.
  public let name: String
  /// Its keys as a peer, sealed by the device.
  public let sealedPeer: [UInt8]
  /// The circle; nothing before it is founded.
  public var circle: SyncDigest
  /// How far it has come.
  public var stage: Stage

  /// The membership with these parts.
  public init(
    at address: HubAddress,
    sealedPassword: [UInt8],
    name: String,
    sealedPeer: [UInt8],
    circle: SyncDigest,
    stage: Stage
  ) {
    self.address = address
    self.sealedPassword = sealedPassword
    self.name = name
    self.sealedPeer = sealedPeer
    self.circle = circle
    self.stage = stage
  }

  /// The row that it is kept in.
  public var row: SyncRow {
    var framed = FramedBytes(Self.purpose)
    framed.add(address)
    framed.add(counted: sealedPassword)
    framed.add(isPasswordShared)
    framed.add(nextPassword)
    framed.add(name)
    framed.add(counted: sealedPeer)
    framed.add(circle)
    switch stage {
    case .founding(let entry):
      framed.add(UInt8(0))
      framed.add(counted: entry.bytes)
    case .joining(let request):
      framed.add(UInt8(1))
      framed.add(counted: request.bytes)
    case .member: framed.add(UInt8(2))
    }
    return SyncRow(SyncRow.Key(.membership), framed.bytes)
  }

  /// Reads what ``row`` wrote; nil for anything else.
  public init?(_ row: SyncRow) {
    guard row.key.kind == .membership, var reader = FramedReader(row.value, for: Self.purpose),
      let address = reader.address(), let password = reader.counted(most: Self.sealedMax),
      let isShared = reader.flag(),
      let next = reader.optional({ $0.counted(most: Self.sealedMax) }),
      let name = reader.text(most: PeerKeys.nameMax),
      let peer = reader.counted(most: Self.sealedMax), let circle = reader.digest(),
      let stage = Self.stage(&reader), reader.isAtEnd
    else { return nil }
    self.init(
      at: address,
      sealedPassword: password,
      name: name,
      sealedPeer: peer,
      circle: circle,
      stage: stage
    )
    isPasswordShared = isShared
    nextPassword = next
  }

  private static func stage(_ reader: inout FramedReader) -> Stage? {
    guard let code: UInt8 = reader.number() else { return nil }
    switch code {
    case 0:
      let entry = reader.counted(most: CircleEntry.bytesMax).flatMap { CircleEntry($0) }
      return entry.map { .founding($0) }
    case 1:
      let request = reader.counted(most: HubRequest.letterMax).flatMap { JoinRequest($0) }
      return request.map { .joining($0) }
    case 2: return .member
    default: return nil
    }
  }
}
