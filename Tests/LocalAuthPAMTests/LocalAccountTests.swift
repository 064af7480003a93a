import Glibc
import LocalAuthWire
import Testing

/// The shipped service file against real accounts, through pam_unix.
@Suite(.serialized, .enabled(if: getuid() == 0, "needs root: creates accounts"))
struct LocalAccountTests {
  private let account: LocalAccount
  private let stack: PAMStack
  private let worker: SpawnedWorker

  init() throws {
    account = try LocalAccount()
    stack = try PAMStack()
    worker = try SpawnedWorker()
    let shipped = try ProcessMemory.read(PAMStack.shippedService("localauth"))
    try stack.write(String(decoding: shipped, as: UTF8.self))
  }

  @Test func rightPasswordIsProof() throws {
    #expect(try verdict(password: account.password) == .success)
  }

  @Test func wrongPasswordIsAMiss() throws {
    #expect(try verdict(password: "wrong horse") == .wrongCredential)
    #expect(try verdict(password: "") == .wrongCredential)
    #expect(try verdict(password: account.password) == .success)
  }

  @Test func lockedAccountProvesNothing() throws {
    try account.change("/usr/sbin/usermod", "-L")
    #expect(try verdict(password: account.password) == .wrongCredential)
    try account.change("/usr/sbin/usermod", "-U")
    #expect(try verdict(password: account.password) == .success)
  }

  @Test func expiredAccountIsReportedAsItself() throws {
    try account.change("/usr/bin/chage", "-E", "0")
    #expect(try verdict(password: account.password) == .accountExpired)
    #expect(try verdict(password: "wrong horse") == .wrongCredential)
  }

  @Test func passwordToBeChangedIsReportedAsItself() throws {
    try account.change("/usr/bin/chage", "-d", "0")
    #expect(try verdict(password: account.password) == .passwordChangeRequired)
    #expect(try verdict(password: "wrong horse") == .wrongCredential)
  }

  @Test func passwordThatExpiredForGoodIsReportedAsItself() throws {
    try account.change("/usr/bin/chage", "-d", "100", "-M", "10", "-I", "5")
    #expect(try verdict(password: account.password) == .credentialExpired)
  }

  @Test func accountWithoutAPasswordProvesNothing() throws {
    try account.change("/usr/sbin/usermod", "-p", "")
    #expect(try verdict(password: "") == .wrongCredential)
  }

  @Test func unknownUserIsAMiss() throws {
    let request = try stack.request(user: "\(account.name)-not")
    let verdict = try worker.judge(request, password: account.password).verdict
    #expect([.userUnknown, .wrongCredential].contains(verdict))
  }

  @Test func ordinaryUserProvesWhoTheyAreAndNobodyElse() throws {
    let other = try LocalAccount()
    let worker = try SpawnedWorker(account: account.name, folder: stack.folder)
    let own = try stack.request(user: account.name)
    #expect(try worker.judge(own, password: account.password).verdict == .success)
    #expect(try worker.judge(own, password: "wrong horse").verdict == .wrongCredential)
    let foreign = try stack.request(user: other.name)
    #expect(try worker.judge(foreign, password: other.password).verdict != .success)
    try account.change("/usr/bin/chage", "-E", "0")
    #expect(try worker.judge(own, password: account.password).verdict == .accountExpired)
  }

  private func verdict(password: String) throws -> PAMVerdict {
    try worker.judge(stack.request(user: account.name), password: password).verdict
  }
}
