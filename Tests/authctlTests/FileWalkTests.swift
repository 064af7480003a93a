import Glibc
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
    let walk = try FileWalk([scratch.file("tree/")], isRecursive: true)
    let expected = ["tree/a", "tree/b", "tree/below/c"]
    #expect(walk.files.map(\.path) == expected.map { scratch.file($0) })
    #expect(walk.files.map { content($0.reached) } == expected)
    #expect(walk.skipped == 1)
  }

  @Test func whoCanRenameADirectoryThatWasNamedExchangesNothing() throws {
    for tree in ["tree", "other"] {
      scratch.makeDirectory(tree)
      scratch.makeDirectory(tree + "/below")
      for name in ["a", "below/b"] { scratch.write(tree, to: "\(tree)/\(name)") }
    }
    let walk = try FileWalk([scratch.file("tree")], isRecursive: true)
    rename("tree", "was")
    rename("other", "tree")
    #expect(walk.files.map { content($0.path) } == ["other", "other"])
    #expect(walk.files.map { content($0.reached) } == ["tree", "tree"])
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
    let found = try? FileWalk([scratch.file("tree")], isRecursive: true).files.count
    #expect(found == (isEntered ? 1 : nil))
  }
}
