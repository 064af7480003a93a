import Glibc
import LocalAuthWire
import Testing

@testable import LocalAuthPAM

@Suite struct HeldModulesTests {
  private let stack: PAMStack

  init() throws {
    stack = try PAMStack()
    try stack.script(auth: "")
  }

  @Test func modulesStayMappedBetweenTransactions() throws {
    var held = HeldModules()
    try held.hold(for: stack.request())
    #expect(try isMapped(stack.module))
    #expect(try succeeds(stack))
    #expect(try isMapped(stack.module))
  }

  @Test func nothingStaysMappedWithoutHolding() throws {
    #expect(try succeeds(stack))
    #expect(try !isMapped(stack.module))
  }

  @Test func anotherServiceReplacesTheFirst() throws {
    let other = try PAMStack()
    try other.script(auth: "")
    var held = HeldModules()
    try held.hold(for: stack.request())
    try held.hold(for: other.request())
    #expect(try !isMapped(stack.module))
    #expect(try isMapped(other.module))
  }

  @Test func changedServiceFileIsReadAgain() throws {
    let other = try PAMStack()
    var held = HeldModules()
    try held.hold(for: stack.request())
    try stack.write("auth required \(other.module)\naccount required \(other.module)\n")
    try held.hold(for: stack.request())
    #expect(try isMapped(other.module))
    #expect(try !isMapped(stack.module))
  }

  @Test func missingServiceKeepsWhatIsHeld() throws {
    var held = HeldModules()
    try held.hold(for: stack.request())
    try held.hold(for: stack.request(service: "missing"))
    #expect(try isMapped(stack.module))
  }

  private func succeeds(_ stack: PAMStack) throws -> Bool {
    let transaction = try PAMTransaction(stack.request(), conversation: ScriptedConversation())
    return transaction.judge().verdict.isProof
  }

  private func isMapped(_ path: String) throws -> Bool {
    String(decoding: try ProcessMemory.read("/proc/self/maps"), as: UTF8.self).contains(path)
  }
}
