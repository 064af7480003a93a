import Glibc
import LocalAuthCore
import Testing

@testable import LocalAuthUnix

@Suite struct LoginSessionTests {
  private func program(_ pid: Int32) throws -> PeerProgram {
    let process = try #require(ProcessReference(lookingUp: pid))
    return try PeerProgram(processID: pid, userID: geteuid(), process: process)
  }

  @Test func ourOwnSessionIsThatOfTheProcessesBesideUs() throws {
    let own = try program(getpid()).loginSession()
    var child = try ChildProcess.spawn(
      SpawnRequest(executable: "/bin/sleep", arguments: ["60"], environment: [])
    )
    let other = try program(child.processID).loginSession()
    switch own {
    case .audit: #expect(other == own, "an audit session outlives setsid")
    case .processes(let leader):
      #expect(leader == getsid(0))
      // Whatever we spawn leads a session of its own.
      #expect(other == .processes(of: child.processID))
    }
    kill(child.processID, SIGKILL)
    _ = try child.waitForExit()
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
