import LocalAuthCrypto
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

/// Devices of a person that are in one circle, and their hub.
struct SyncCircle {
  let hub: ModelHub
  let devices: [SyncDevice]

  /// Founds a circle with the first device, which lets the others in.
  init(
    _ names: String...,
    checkpointInterval: UInt64? = nil,
    in place: ScratchDirectory
  ) throws { try self.init(names, checkpointInterval: checkpointInterval, in: place) }

  /// Founds a circle with the first device, which lets the others in.
  init(
    _ names: [String],
    checkpointInterval: UInt64? = nil,
    in place: ScratchDirectory
  ) throws {
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    if let checkpointInterval { hub.checkpointInterval = checkpointInterval }
    devices = try names.map { try SyncDevice(hub, in: place.file($0)) }
    self.hub = hub
    try devices[0].found(by: code)
    for (name, device) in zip(names, devices).dropFirst() {
      try device.enter(as: name, by: devices[0])
    }
  }

  /// A circle of two.
  static func pair(
    in place: ScratchDirectory
  ) throws -> (circle: SyncCircle, first: SyncDevice, second: SyncDevice) {
    let circle = try SyncCircle("first", "second", in: place)
    return (circle, circle.devices[0], circle.devices[1])
  }

  /// What each has goes to the others.
  func exchange() throws {
    for device in devices + devices { try device.synchronize() }
  }

  /// Does `body` once, behind the hub's back: when it has answered such a request of this device's, and the device has not
  /// heard so yet.
  func onReply(
    to device: SyncDevice,
    where isMeant: @escaping (HubRequest) -> Bool,
    _ body: @escaping () throws -> Void
  ) {
    let role = device.role
    hub.lie = { [hub] asking, request, reply in
      guard asking == role, isMeant(request) else { return reply }
      hub.lie = nil
      do { try body() } catch { Issue.record(error) }
      return reply
    }
  }
}

extension SyncDevice {
  /// Joins the circle of `sponsor`, whose person compares the words; `body` runs before it hears that it was let in.
  func enter(as name: String, by sponsor: SyncDevice, _ body: () -> Void = {}) throws {
    let words = try join(try sponsor.invite(), as: name)
    try synchronize()
    let answering = try #require(try sponsor.answering())
    try #require(answering.name == name && answering.words == words)
    try sponsor.approve()
    body()
    try synchronize()
  }

  /// The peer that this device is.
  var identifier: PeerIdentifier {
    get throws { try #require(try report().peers.first { $0.isMe }).identifier }
  }
}
