import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthService

/// Who waits for a device's turn is answered though its synchronization ends before that.
@Suite struct SyncEndTests {
  enum End: CaseIterable {
    case erased
    case deleted
  }

  /// Ends the device's synchronization while `begin` waits for its turn; what that was answered.
  private func answer(
    on device: SyncDevice,
    that end: End,
    _ begin: (@escaping Engine.Completion) -> Void
  ) throws -> EngineError? {
    let turns = try #require(device.live).mutations
    turns.enter {}
    var answer: Result<Void, EngineError>?
    begin { answer = $0 }
    #expect(answer == nil)
    let (engine, caller) = (device.engine, device.caller)
    switch end {
    case .erased:
      // The first time says what would die.
      engine.erase("sim", caller: caller) { _ in }
      try device.wait { engine.erase("sim", caller: caller, then: $0) }
    case .deleted:
      try device.wait { engine.delete("sim", passcode: .of("1234"), caller: caller, then: $0) }
    }
    turns.leave()
    try device.turn { answer != nil }
    guard case .failure(let error)? = answer else { return nil }
    return error
  }

  private func found(
    _ device: SyncDevice,
    by code: InvitationCode,
    at host: String = "/run/hub"
  ) -> (@escaping Engine.Completion) -> Void {
    { done in
      device.engine.foundCircle(
        device.beginning("first", at: host),
        code: SecretBox(code.printed),
        device.callerDevice,
        by: device.ownersProof,
        then: done
      )
    }
  }

  /// A device that asks for no proof, so that whoever begins waits for its turn at once.
  private func unproven(_ hub: ModelHub, in place: ScratchDirectory) throws -> SyncDevice {
    try SyncDevice(hub, in: place.file("first"), passcode: nil, fingers: [])
  }

  @Test(arguments: End.allCases) func whoFoundsACircle(_ end: End) throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let device = try unproven(hub, in: place)
    let error = try answer(on: device, that: end, found(device, by: code))
    #expect(error == (end == .deleted ? .deviceNotFound("sim") : .sync(.notStored)))
  }

  @Test(arguments: End.allCases) func whoFoundsItElsewhere(_ end: End) throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    hub.isDown = true
    let device = try unproven(hub, in: place)
    try device.found(by: code)
    let error = try answer(on: device, that: end, found(device, by: code, at: "/elsewhere"))
    #expect(error != nil)
  }

  @Test(arguments: End.allCases) func whoDecidesAConflict(_ end: End) throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    let (first, second) = (circle.devices[0], circle.devices[1])
    try first.add("mail", "1")
    try circle.exchange()
    try first.update("mail", "2")
    try second.update("mail", "3")
    try circle.exchange()
    let device = try first.conflicts().isEmpty ? second : first
    let conflict = try #require(try device.conflicts().first)
    let error = try answer(on: device, that: end) { done in
      device.engine.resolveConflict(
        conflict.identifier,
        .discard,
        device.callerDevice,
        groups: AccessGroups(["local"]),
        then: done
      )
    }
    #expect(error == .sync(.notMember))
  }

  @Test func anotherFoundsWhileTheFirstWaits() throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let device = try unproven(hub, in: place)
    let error = try answer(on: device, that: .erased) { done in
      found(device, by: InvitationCode.generate())(done)
    }
    #expect(error == .sync(.notStored))
    try device.wait {
      device.engine.setPasscode(
        .of("1234"),
        on: "sim",
        passcode: nil,
        caller: device.caller,
        then: $0
      )
    }
    try device.wait { done in
      device.engine.foundCircle(
        device.beginning("first"),
        code: SecretBox(code.printed),
        device.callerDevice,
        by: OwnersProof(.of("1234")),
        then: done
      )
    }
    try device.synchronize()
    #expect(try device.report().stage == .member)
  }
}
