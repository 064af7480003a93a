import Glibc
import LocalAuthCore
import Testing

@testable import LocalAuthUnix

@Suite struct LoginSessionTests {
  private func program(_ pid: Int32) throws -> PeerProgram {
    let process = try #require(ProcessReference(lookingUp: pid))
    return try PeerProgram(processID: pid, userID: geteuid(), process: process)
  }

  @Test func aProgramThatWeStartIsInOurAuditSessionOrInOneOfItsOwn() throws {
    var child = try ChildProcess.spawn(
      SpawnRequest(executable: "/bin/sleep", arguments: ["60"], environment: [])
    )
    switch try program(child.processID).loginSession() {
    case .audit(let session):
      let own = try program(getpid()).loginSession()
      #expect(own == .audit(session), "an audit session outlives setsid")
    case .processes(let leader): #expect(leader == child.processID)
    }
    kill(child.processID, SIGKILL)
    _ = try child.waitForExit()
  }

  /// A container's first process may have been put into it from a session outside: then getsid(2)
  /// says 0, and every such process would be in the same one.
  @Test func ourOwnSessionIsThatOfItsLeaderUnlessThatLiesOutsideOfWhatWeSee() throws {
    let own = try program(getpid())
    let leader = getsid(0)
    guard leader > 0 || own.isAudited else {
      #expect(throws: PeerProgramError.noSession) { try own.loginSession() }
      return
    }
    guard case .processes(let told) = try own.loginSession() else { return }
    #expect(told == leader)
  }

  @Test func aLoginIsKnownByBothOfItsNumbers() throws {
    let pair = try SocketPair()
    let end = pair.theirs.rawValue
    // Whoever has none yet may say who it is, and is given a number of its own.
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", "echo 1234 2>/dev/null >/proc/self/loginuid; echo; exec sleep 60"],
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .duplicate(of: end), .null]
      )
    )
    let ours = pair.takeOurs()
    var byte: UInt8 = 0
    // SAFETY: one byte of a variable that outlives the call.
    #expect(unsafe read(ours.rawValue, &byte, 1) == 1)
    let started = try program(child.processID)
    let login = try started.auditLogin()
    switch try started.loginSession() {
    case .audit(let session):
      #expect(login?.session == session)
      if try program(getpid()).auditLogin() == nil { #expect(login?.user == 1234) }
    case .processes: #expect(login == nil)
    }
    kill(child.processID, SIGKILL)
    _ = try child.waitForExit()
    #expect(throws: PeerProgramError.ended) { try started.auditLogin() }
  }

  @Test func aProcessThatHasEndedIsInNone() throws {
    var child = try ChildProcess.spawn(
      SpawnRequest(executable: "/bin/sleep", arguments: ["60"], environment: [])
    )
    let program = try program(child.processID)
    kill(child.processID, SIGKILL)
    _ = try child.waitForExit()
    #expect(throws: PeerProgramError.ended) { try program.loginSession() }
  }
}

extension PeerProgram {
  fileprivate var isAudited: Bool {
    guard case .audit = try? loginSession() else { return false }
    return true
  }
}
