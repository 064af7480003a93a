import LocalAuthCore
import LocalAuthKeychain
import LocalAuthStore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthService

/// A keybag that the device's key does not open: nothing that needs it is said to be locked.
@Suite struct DamagedKeybagTests {
  /// The state of a device whose service has ended.
  private func made() throws -> StateScratch {
    let scratch = StateScratch()
    try StateRig.found(scratch.path)
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.create("sim", passcode: "1234"))
    rig.close()
    return scratch
  }

  private func rig() throws -> (scratch: StateScratch, rig: StateRig) {
    let scratch = try made()
    return (scratch, try #require(try StateRig(opening: scratch.path)))
  }

  private func damaged() throws -> (scratch: StateScratch, rig: StateRig) {
    let scratch = try made()
    try ItemRows(scratch.path + "/" + StateFiles.database)
      .execute("UPDATE keybag SET sealed = zeroblob(length(sealed))")
    return (scratch, try #require(try StateRig(opening: scratch.path)))
  }

  private func state(_ rig: StateRig) -> DeviceStatus.Keychain? {
    rig.engine.statuses(of: rig.caller).first { $0.record.identity.name == "sim" }?.keychain
  }

  /// What a call is refused with says that it is damaged, and nothing of a lock.
  private func expectDamaged(
    _ rig: StateRig,
    at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = rig.objection(body)
    guard case .internalError(let message)? = error, message.contains("keybag is damaged") else {
      Issue.record("\(String(describing: error))", sourceLocation: location)
      return
    }
  }

  @Test(arguments: FileProtection.allCases)
  func noFileIsSaidToBeLocked(_ protection: FileProtection) throws {
    let (_, rig) = try damaged()
    #expect(state(rig) == .damaged)
    expectDamaged(rig) {
      _ = try rig.engine.makeFileKey(
        protection,
        on: "sim",
        allowsSimulated: true,
        caller: rig.caller
      )
    }
  }

  @Test func nothingThatGroupsKeepIsSaidToBeLocked() throws {
    let (_, rig) = try damaged()
    expectDamaged(rig) { _ = try rig.values() }
    expectDamaged(rig) { try rig.set("theme", "dark") }
    expectDamaged(rig) { _ = try rig.backup() }
  }

  @Test func noItemIsSaidToBeLocked() throws {
    let (_, rig) = try damaged()
    let item: QueryDictionary = ["class": .text("genp"), "acct": .text("ann")]
    let operations: [KeychainRequest.Operation] = [
      .add([NewItem(item, data: .of("secret"))]), .copy(item, after: nil), .delete(item),
      .update(item, changes: ["labl": .text("new")], data: nil),
      .generateKey(["class": .text("keys")]),
    ]
    for operation in operations {
      expectDamaged(rig) { try begin(operation, on: rig) }
    }
    let (_, whole) = try self.rig()
    #expect(whole.objection { try begin(.delete(item), on: whole) } == nil)
  }

  private func begin(_ operation: KeychainRequest.Operation, on rig: StateRig) throws {
    var asking = EvaluationRequest(policy: "", reason: "test", device: "sim")
    asking.allowsSimulated = true
    let request = KeychainRequest(
      operation,
      asking: asking,
      context: ContextIdentity(connection: 1, context: 1),
      groups: AccessGroups(["local"])
    )
    _ = try rig.engine.keychain(request, caller: rig.caller) { _ in }
  }

  @Test func aLockedDeviceIsStillSaidToBeLocked() throws {
    let (_, rig) = try rig()
    #expect(state(rig) == .ready)
    #expect(rig.objection { _ = try rig.values() }?.code == .itemLocked)
    let refused = rig.objection {
      _ = try rig.engine.makeFileKey(
        .complete,
        on: "sim",
        allowsSimulated: true,
        caller: rig.caller
      )
    }
    #expect(refused?.code == .itemLocked)
  }
}
