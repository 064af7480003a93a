import LocalAuthService
import Synchronization
import Testing

@Suite struct CallerTests {
  private func caller(uid: UInt32 = 1000, pid: Int32 = 42, _ process: HeldProcess?) -> Caller {
    Caller(uid: uid, pid: pid, program: "test", process: process)
  }

  @Test func twoConnectionsOfOneProcessAreTheSameProcess() {
    let (one, other) = (caller(HeldProcess()), caller(HeldProcess()))
    #expect(one.isSameProcess(as: other) && other.isSameProcess(as: one))
  }

  @Test func anotherNumberOrUserIsAnotherProcess() {
    let one = caller(HeldProcess())
    #expect(!one.isSameProcess(as: caller(pid: 43, HeldProcess())))
    #expect(!one.isSameProcess(as: caller(uid: 1001, HeldProcess())))
  }

  @Test func numberOfAProcessThatHasEndedNamesNobody() {
    let ended = HeldProcess()
    let (one, other) = (caller(ended), caller(HeldProcess()))
    ended.end()
    #expect(!one.isSameProcess(as: other) && !other.isSameProcess(as: one))
    #expect(!one.isSameProcess(as: one))
  }

  @Test func whatCannotBeCheckedIsNotTheSame() {
    #expect(!caller(nil).isSameProcess(as: caller(HeldProcess())))
    #expect(!caller(HeldProcess()).isSameProcess(as: caller(nil)))
    let hidden = caller(pid: 0, HeldProcess())
    #expect(!hidden.isSameProcess(as: hidden))
  }
}

/// A process that ends when it is told to.
final class HeldProcess: CallerProcess {
  private let state = Mutex(false)

  var hasEnded: Bool { state.withLock { $0 } }

  func end() { state.withLock { $0 = true } }

  @Test func promptTellsProgramPathAndProcess() {
    var caller = Caller(uid: 1000, pid: 7, program: "authctl")
    #expect(caller.shown() == "authctl (process 7)")
    caller.path = "/usr/bin/authctl"
    #expect(caller.shown() == "authctl (/usr/bin/authctl, process 7)")
    #expect(caller.shown(withUser: true) == "authctl (/usr/bin/authctl, process 7, user 1000)")
  }

  @Test func noLongNameHidesWhatFollows() {
    let long = String(repeating: "e\u{301}/", count: 2000)
    var caller = Caller(uid: 1000, pid: 7, program: "begin" + long + "end")
    caller.path = "/tmp/" + long + "/end"
    let shown = caller.shown()
    #expect(shown.hasPrefix("begin"))
    #expect(shown.contains("/tmp/") && shown.hasSuffix("/end, process 7)"))
    #expect(shown.count < 180)
  }
}
