import Glibc
import LocalAuthCore
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
    worker = try SpawnedWorker(stack)
    let shipped = try ProcessMemory.read(PAMStack.shippedService("localauth"))
    try stack.write(String(decoding: shipped, as: UTF8.self))
  }

  @Test func rightPasswordIsProof() throws {
    #expect(try verdict(password: account.password) == .match)
  }

  @Test func wrongPasswordIsAMiss() throws {
    #expect(try verdict(password: "wrong horse") == .miss)
    #expect(try verdict(password: "") == .miss)
    #expect(try verdict(password: account.password) == .match)
  }

  @Test func lockedAccountProvesNothing() throws {
    try account.change("/usr/sbin/usermod", "-L")
    #expect(try verdict(password: account.password) == .miss)
    try account.change("/usr/sbin/usermod", "-U")
    #expect(try verdict(password: account.password) == .match)
  }

  @Test func expiredAccountIsReportedAsItself() throws {
    try account.change("/usr/bin/chage", "-E", "0")
    #expect(try verdict(password: account.password) == .refused("The account has expired."))
    #expect(try verdict(password: "wrong horse") == .miss)
  }

  @Test func passwordToBeChangedIsReportedAsItself() throws {
    try account.change("/usr/bin/chage", "-d", "0")
    #expect(try verdict(password: account.password) == Self.mustChange)
    #expect(try verdict(password: "wrong horse") == .miss)
  }

  @Test func passwordThatExpiredForGoodIsReportedAsItself() throws {
    try account.change("/usr/bin/chage", "-d", "100", "-M", "10", "-I", "5")
    #expect(try verdict(password: account.password) == .refused("The password has expired."))
  }

  @Test func accountWithoutAPasswordProvesNothing() throws {
    try account.change("/usr/sbin/usermod", "-p", "")
    #expect(try verdict(password: "") == .miss)
  }

  @Test func unknownUserIsAMiss() throws {
    #expect(try worker.judge("\(account.name)-not", password: account.password) == .miss)
  }

  @Test func ordinaryUserProvesWhoTheyAreAndNobodyElse() throws {
    let other = try LocalAccount()
    let worker = try SpawnedWorker(stack, account: account.name)
    #expect(try worker.judge(account.name, password: account.password) == .match)
    #expect(try worker.judge(account.name, password: "wrong horse") == .miss)
    #expect(try worker.judge(other.name, password: other.password) != .match)
    try account.change("/usr/bin/chage", "-E", "0")
    #expect(
      try worker.judge(account.name, password: account.password)
        == .refused("The account has expired.")
    )
  }

  private static let mustChange = Arming.Ending.refused(
    "The password must be changed; use passwd(1)."
  )

  private func verdict(password: String) throws -> Arming.Ending {
    try worker.judge(account.name, password: password)
  }
}
