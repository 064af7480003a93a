import Glibc
import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import authctl

@Suite struct FileWalkTests {
  private let scratch = ScratchDirectory()

  private func content(_ path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 100)
    // SAFETY: the array has room for its count during the call.
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private func rename(_ name: String, _ other: String) {
    // SAFETY: the strings are C strings for the call.
    #expect(unsafe Glibc.rename(scratch.file(name), scratch.file(other)) == 0)
  }

  @Test func filesAreShownByTheirPathsInOrder() throws {
    scratch.makeDirectory("tree")
    scratch.makeDirectory("tree/below")
    for name in ["tree/b", "tree/below/c", "tree/a"] { scratch.write(name, to: name) }
    scratch.link("tree/link", to: "b")
    let walk = FileWalk([scratch.file("tree/")], isRecursive: true)
    let expected = ["tree/a", "tree/b", "tree/below/c"]
    #expect(walk.found.map(\.path) == expected.map { scratch.file($0) })
    #expect(walk.found.map { content($0.reached) } == expected)
    #expect(walk.skipped == 1)
  }

  @Test func whoCanRenameADirectoryThatWasNamedExchangesNothing() throws {
    for tree in ["tree", "other"] {
      scratch.makeDirectory(tree)
      scratch.makeDirectory(tree + "/below")
      for name in ["a", "below/b"] { scratch.write(tree, to: "\(tree)/\(name)") }
    }
    let walk = FileWalk([scratch.file("tree")], isRecursive: true)
    rename("tree", "was")
    rename("other", "tree")
    #expect(walk.found.map { content($0.path) } == ["other", "other"])
    #expect(walk.found.map { content($0.reached) } == ["tree", "tree"])
  }

  @Test(
    arguments: [
      (0o755, nil, true), (0o775, nil, true), (0o1777, nil, true), (0o777, nil, false),
      (0o757, nil, false), (0o775, 65_534, false), (0o1775, 65_534, true),
    ] as [(mode_t, gid_t?, Bool)]
  )
  func aDirectoryOfOthersIsNotEntered(_ mode: mode_t, _ group: gid_t?, _ isEntered: Bool) throws {
    guard geteuid() == 0 || group == nil && geteuid() == getegid() else { return }
    scratch.makeDirectory("tree")
    scratch.write("a", to: "tree/a")
    // SAFETY: the strings are C strings for the calls.
    if let group { #expect(unsafe chown(scratch.file("tree"), .max, group) == 0) }
    scratch.setMode(mode, of: "tree")
    let walk = FileWalk([scratch.file("tree")], isRecursive: true)
    #expect(walk.found.count == 1)
    #expect(walk.found.first?.refusal?.outcome == (isEntered ? nil : .notPermitted))
    let look = FileWalk([scratch.file("tree")], isRecursive: true, changes: false)
    #expect(look.found.map(\.refusal) == [nil], "who only looks changes nothing of another's")
  }

  @Test func aDirectoryThatIsRefusedStandsBetweenTheFiles() {
    for name in ["tree", "tree/b", "tree/c"] { scratch.makeDirectory(name) }
    for name in ["tree/a", "tree/b/hidden", "tree/c/d"] { scratch.write(name, to: name) }
    scratch.setMode(0o777, of: "tree/b")
    let walk = FileWalk([scratch.file("tree"), scratch.file("none")], isRecursive: true)
    let expected = ["tree/a", "tree/b", "tree/c/d", "none"].map { scratch.file($0) }
    #expect(walk.found.map(\.path) == expected)
    #expect(walk.found.map { $0.refusal == nil } == [true, false, true, true])
  }

  @Test func aDirectoryOfAStateIsRefusedAndLookedInto() {
    for name in ["tree", "tree/state", "tree/state/authenticators"] { scratch.makeDirectory(name) }
    for name in ["tree/a", "tree/state/lock", "tree/state/device.key"] {
      scratch.write("", to: name)
    }
    let walk = FileWalk([scratch.file("tree")], isRecursive: true)
    #expect(walk.found.map(\.path) == ["tree/a", "tree/state"].map { scratch.file($0) })
    #expect(walk.found.last?.refusal?.message.contains("LocalAuth's own state") == true)
    for name in ["tree/state", "tree/state/authenticators"] {
      let named = FileWalk([scratch.file(name)], isRecursive: true)
      #expect(named.found.map { $0.refusal?.outcome } == [.notPermitted])
    }
    let look = FileWalk([scratch.file("tree")], isRecursive: true, changes: false)
    #expect(look.found.count == 3 && look.found.allSatisfy { $0.refusal == nil })
  }
}
