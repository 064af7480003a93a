import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct StateDirectoryTests {
  private let scratch = ScratchDirectory()

  private func failure(opening name: String) -> StateDirectoryError? {
    do throws(StateDirectoryError) {
      _ = try StateDirectory(opening: scratch.file(name))
      return nil
    } catch {
      return error
    }
  }

  @Test func createsTheDirectoryAndThoseAboveItForUsAlone() throws {
    let state = try StateDirectory(opening: scratch.file("a/b/c"))
    #expect(state.path == scratch.file("a/b/c"))
    #expect(state.path(of: "x") == scratch.file("a/b/c/x"))
    for name in ["a", "a/b", "a/b/c"] { #expect(scratch.mode(of: name) == 0o700) }
    #expect(scratch.mode(of: "a/b/c/lock") == 0o600)
  }

  @Test func opensOneThatIsThere() throws {
    scratch.makeDirectory("state", mode: 0o755)
    _ = try StateDirectory(opening: scratch.file("state") + "//")
    #expect(scratch.mode(of: "state") == 0o755)
  }

  @Test(arguments: [0o777, 0o770, 0o720, 0o702, 0o1777] as [mode_t])
  func refusesOneThatOthersCanWrite(mode: mode_t) {
    scratch.makeDirectory("state", mode: mode)
    guard case .unusable(.writableByOthers(_, let found)) = failure(opening: "state") else {
      Issue.record("mode \(mode) was accepted")
      return
    }
    #expect(found == UInt32(mode))
    // Refused before the lock was made in it.
    #expect(scratch.read("state/lock") == nil)
  }

  @Test(arguments: ["link", "link/", "link//"])
  func refusesASymbolicLink(name: String) {
    scratch.makeDirectory("state")
    scratch.link("link", to: scratch.file("state"))
    guard case .unusable(.notDirectory) = failure(opening: name) else {
      Issue.record("the link was followed")
      return
    }
  }

  @Test func refusesADanglingLinkInsteadOfCreatingItsTarget() {
    scratch.link("link", to: scratch.file("target"))
    #expect(failure(opening: "link") != nil)
    #expect(scratch.read("target/lock") == nil)
  }

  @Test func refusesAFileAndWhatWouldBeBelowOne() {
    scratch.write("", to: "file")
    for name in ["file", "file/below"] {
      guard case .unusable(.notDirectory) = failure(opening: name) else {
        Issue.record("\(name) was accepted")
        continue
      }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a directory away"))
  func refusesSomebodyElses() {
    scratch.makeDirectory("state")
    // SAFETY: the string is a C string for the length of the call.
    #expect(unsafe chown(scratch.file("state"), 65534, 65534) == 0)
    guard case .unusable(.foreignOwner(_, let uid)) = failure(opening: "state") else {
      Issue.record("somebody else's directory was accepted")
      return
    }
    #expect(uid == 65534)
  }

  @Test func hasOneOwnerAtATime() throws {
    do {
      let first = try StateDirectory(opening: scratch.file("state"))
      guard case .alreadyOwned(_, let owner) = failure(opening: "state") else {
        Issue.record("two owners of \(first.path)")
        return
      }
      #expect(owner == getpid())
      #expect(first.path == scratch.file("state"))
    }
    #expect(failure(opening: "state") == nil)
  }

  @Test func ownerKilledOutrightReleasesIt() throws {
    scratch.makeDirectory("state")
    let pair = try SocketPair()
    var owner = try ChildProcess.spawn(
      SpawnRequest(
        executable: FixtureProgram.path,
        arguments: ["lock", scratch.file("state/lock")],
        descriptors: [.null, .null, .null, .duplicate(of: pair.theirs.rawValue)]
      )
    )
    let ours = pair.takeOurs()
    var byte: UInt8 = 0
    // SAFETY: room for the one byte asked for.
    #expect(unsafe read(ours.rawValue, &byte, 1) == 1)
    guard case .alreadyOwned(_, let found) = failure(opening: "state") else {
      Issue.record("two owners")
      return
    }
    #expect(found == owner.processID)
    owner.killGroup()
    #expect(try owner.waitForExit() == .signal(SIGKILL))
    #expect(failure(opening: "state") == nil)
  }

  @Test func childrenDoNotInheritOwnership() throws {
    let pair = try SocketPair()
    do {
      let state = try StateDirectory(opening: scratch.file("state"))
      let request = SpawnRequest(
        executable: "/bin/cat",
        descriptors: [.duplicate(of: pair.theirs.rawValue), .null, .null]
      )
      let child = try ChildProcess.spawn(request)
      #expect(child.processID > 0)
      #expect(state.path == scratch.file("state"))
      // The child is still there when the directory is given up.
      _ = consume state
      #expect(failure(opening: "state") == nil)
    }
  }

  @Test func lockThatIsALinkIsRefused() {
    scratch.makeDirectory("state")
    scratch.link("state/lock", to: scratch.file("elsewhere"))
    guard case .unusable(.system(let error)) = failure(opening: "state") else {
      Issue.record("the link was followed")
      return
    }
    #expect(error.code == ELOOP)
    #expect(scratch.read("elsewhere") == nil)
  }

  @Test func eachRefusalSaysWhatToDo() {
    let refusals: [(StateDirectoryError, String)] = [
      (.unusable(.notDirectory(path: "/d")), "name the directory itself"),
      (.unusable(.foreignOwner(path: "/d", uid: 7)), "correct its owner"),
      (.unusable(.writableByOthers(path: "/d", mode: 0o777)), "chmod 700 /d"),
      (.alreadyOwned(path: "/d", by: 12), "process 12"),
      (.alreadyOwned(path: "/d", by: nil), "--home"),
    ]
    for (refusal, advice) in refusals { #expect(refusal.description.contains(advice)) }
  }
}
