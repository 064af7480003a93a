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
    try hold(stack, &held)
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
    try hold(stack, &held)
    try hold(other, &held)
    #expect(try !isMapped(stack.module))
    #expect(try isMapped(other.module))
  }

  @Test func changedServiceFileIsReadAgain() throws {
    let other = try PAMStack()
    var held = HeldModules()
    try hold(stack, &held)
    try stack.write("auth required \(other.module)\naccount required \(other.module)\n")
    try hold(stack, &held)
    #expect(try isMapped(other.module))
    #expect(try !isMapped(stack.module))
  }

  private func hold(_ stack: PAMStack, _ held: inout HeldModules) throws {
    let service = try stack.service()
    held.hold(try PAMServiceFile(service), for: service)
  }

  private func succeeds(_ stack: PAMStack) throws -> Bool {
    let transaction = try PAMTransaction(
      for: "somebody",
      at: stack.service(),
      conversation: ScriptedConversation()
    )
    return transaction.judge().verdict == .success
  }

  private func isMapped(_ path: String) throws -> Bool {
    String(decoding: try ProcessMemory.read("/proc/self/maps"), as: UTF8.self).contains(path)
  }
}
