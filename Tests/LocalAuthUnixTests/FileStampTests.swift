import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct FileStampTests {
  private let scratch = ScratchDirectory()
  private var path: String { scratch.file("file") }

  private func stamp() -> FileStamp? { FileStamp(of: path) }

  @Test func fileThatNobodyTouchedKeepsItsStamp() {
    scratch.write("one", to: "file")
    #expect(stamp() != nil)
    #expect(stamp() == stamp())
  }

  @Test func everyChangeGivesAnotherStamp() throws {
    scratch.write("one", to: "file")
    var known = [stamp()]
    let changes: [(String, () -> Void)] = [
      ("longer", { scratch.write("longer", to: "file") }),
      ("mode", { _ = unsafe chmod(path, 0o600) }),
      (
        "another file of the same size",
        {
          scratch.write("LONGER", to: "other")
          _ = unsafe rename(scratch.file("other"), path)
        }
      ),
      ("removed", { _ = unsafe unlink(path) }),
    ]
    for (what, change) in changes {
      change()
      #expect(!known.contains(stamp()), "\(what)")
      known.append(stamp())
    }
    #expect(stamp() == nil)
  }

  @Test func folderChangesWithWhatIsInIt() {
    scratch.makeDirectory("folder")
    let empty = FileStamp(of: scratch.file("folder"))
    scratch.makeDirectory("folder/inner")
    #expect(FileStamp(of: scratch.file("folder")) != empty)
  }

  @Test func linkHasTheStampOfWhatItLeadsTo() {
    scratch.write("one", to: "file")
    #expect(unsafe symlink(path, scratch.file("link")) == 0)
    #expect(FileStamp(of: scratch.file("link")) == stamp())
  }

  @Test func fileThatHasJustChangedIsNotSettled() throws {
    scratch.write("one", to: "file")
    let found = try #require(stamp())
    #expect(!found.isSettled(at: FileStamp.now()))
    #expect(found.isSettled(at: FileStamp.now() + .seconds(1)))
  }

  /// A clock that was set back must not make a file look settled.
  @Test func fileOfTheFutureIsNotSettled() throws {
    scratch.write("one", to: "file")
    let found = try #require(stamp())
    #expect(!found.isSettled(at: FileStamp.now() - .seconds(3600)))
  }
}
