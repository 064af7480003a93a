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
    #expect(try verdict(password: account.password, request: request).countsAsMiss)
  }

  /// What pam_unix says to a password; texts it shows are passed over.
  private func verdict(password: String, request: PAMRequest? = nil) throws -> PAMVerdict {
    worker.start(try request ?? stack.request(user: account.name))
    while true {
      switch try worker.next() {
      case .prompt(_, let echo, _):
        #expect(!echo)
        worker.respond(password)
      case .info, .error: continue
      case .finished(_, let judgement): return judgement.verdict
      case .ready, nil: throw SpawnedWorker.Unexpected(reply: nil)
      }
    }
  }
}
