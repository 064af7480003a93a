import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import Testing

/// Whoever changes many items at once keeps nobody waiting for more than one such change.
@Suite struct LargeChangeTests {
  private static let many = 300
  private static let all: QueryDictionary = ["class": .text("genp")]
  private static let renamed: QueryDictionary = ["desc": .text("renamed")]
  private static var renaming: KeychainRequest.Operation {
    .update(all, changes: renamed, data: nil)
  }

  /// Three devices with many items each.
  private func filled() throws -> KeychainRig {
    let rig = try KeychainRig()
    for name in ["one", "two"] {
      var description = DeviceDescription(name: name)
      description.passcode = .of("1234")
      try rig.wait { rig.engine.create(description, caller: rig.caller, then: $0) }
    }
    for name in ["sim", "one", "two"] {
      let items = (0..<Self.many).map { number in
        NewItem(
          ["class": .text("genp"), "acct": .text("\(number)"), "v_Data": .secret],
          data: .of("secret")
        )
      }
      let adding = rig.start(.add(items), on: name)
      rig.turn { adding.answer != nil }
      #expect(adding.answer?.error == nil)
    }
    return rig
  }

  @Test(arguments: [false, true])
  func largeChangesOfSeveralDevicesAreMadeOneAfterAnother(_ deletes: Bool) throws {
    let rig = try filled()
    rig.disk.hold()
    let change: KeychainRequest.Operation =
      deletes ? .delete(Self.all, onlyCounts: false) : Self.renaming
    let calls = ["sim", "one", "two"].map { rig.start(change, on: $0) }
    let sizes = rig.disk.begun.filter { $0 > 0 }
    #expect(sizes.count == 1)
    rig.disk.release()
    rig.turn { calls.allSatisfy { $0.answer != nil } }
    for call in calls { #expect(call.answer?.error == nil && call.answer?.count == Self.many) }
  }

  @Test func aSmallChangeOfAnotherDeviceDoesNotWaitForThem() throws {
    let rig = try filled()
    rig.disk.hold()
    let calls = ["sim", "one"].map { rig.start(Self.renaming, on: $0) }
    let small = rig.start(
      .update(["class": .text("genp"), "acct": .text("7")], changes: Self.renamed, data: nil),
      on: "two"
    )
    #expect(rig.disk.begun.filter { $0 > 0 }.count == 2)
    rig.disk.release()
    rig.turn { (calls + [small]).allSatisfy { $0.answer != nil } }
    #expect(small.answer?.count == 1)
  }

  @Test func whoIsCancelledWhileItWaitsLeavesTheTurnToTheNext() throws {
    let rig = try filled()
    rig.disk.hold()
    let first = rig.start(Self.renaming, on: "sim")
    let second = rig.start(Self.renaming, on: "one")
    let third = rig.start(Self.renaming, on: "two")
    rig.engine.cancelKeychain(try #require(second.id))
    rig.disk.release()
    rig.turn { first.answer != nil && third.answer != nil }
    #expect(third.answer?.count == Self.many)
    #expect(second.answer?.error == .authentication(.appCancel))
  }
}
