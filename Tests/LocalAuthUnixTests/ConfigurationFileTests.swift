import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct ConfigurationFileTests {
  private func failure(_ path: String) -> ConfigurationFileError? {
    do throws(ConfigurationFileError) {
      _ = try ConfigurationFile.read(path, sizeLimit: 10)
      return nil
    } catch { return error }
  }

  @Test func readsOneByteMoreThanTheLimit() throws {
    let scratch = ScratchDirectory()
    for size in [0, 1, 10, 11] {
      scratch.write([UInt8](repeating: 7, count: size), to: "file")
      #expect(try ConfigurationFile.read(scratch.file("file"), sizeLimit: 10)?.count == size)
    }
    scratch.write([UInt8](repeating: 7, count: 100_000), to: "file")
    #expect(try ConfigurationFile.read(scratch.file("file"), sizeLimit: 10)?.count == 11)
  }

  @Test func whatIsNotThereIsNothing() throws {
    let scratch = ScratchDirectory()
    scratch.write("x", to: "file")
    #expect(try ConfigurationFile.read(scratch.file("none"), sizeLimit: 10) == nil)
    #expect(try ConfigurationFile.read(scratch.file("file/none"), sizeLimit: 10) == nil)
  }

  @Test func whatIsNoFileIsRefused() {
    let scratch = ScratchDirectory()
    // SAFETY: the string is a C string for the call.
    _ = unsafe mkfifo(scratch.file("pipe"), 0o600)
    #expect(failure(scratch.path) == .notRegular(path: scratch.path))
    #expect(failure(scratch.file("pipe")) == .notRegular(path: scratch.file("pipe")))
    #expect(failure("/dev/null") == .notRegular(path: "/dev/null"))
  }

  @Test func aFileThatOthersCanWriteIsRefused() {
    let scratch = ScratchDirectory()
    for mode: mode_t in [0o620, 0o602, 0o666, 0o1666] {
      scratch.write("x", to: "file", mode: mode)
      #expect(failure(scratch.file("file")) == .writable(path: scratch.file("file")))
    }
    scratch.write("x", to: "file", mode: 0o644)
    #expect(failure(scratch.file("file")) == nil)
  }

  @Test func aDirectoryThatOthersCanWriteIsRefusedWhereverItLies() {
    let scratch = ScratchDirectory()
    scratch.makeDirectory("above")
    scratch.makeDirectory("above/below")
    scratch.write("x", to: "above/below/file")
    for directory in ["above", "above/below"] {
      for mode: mode_t in [0o720, 0o702, 0o777] {
        scratch.setMode(mode, of: directory)
        let path = scratch.file("above/below/file")
        #expect(failure(path) == .writable(path: scratch.file(directory)))
      }
      scratch.setMode(0o700, of: directory)
    }
    #expect(failure(scratch.file("above/below/file")) == nil)
  }

  /// Each scratch directory lies in `/tmp`, which is sticky.
  @Test func aStickyDirectoryMayLieAboveButNotHoldTheFile() {
    let scratch = ScratchDirectory()
    scratch.makeDirectory("shared", mode: 0o1777)
    scratch.makeDirectory("shared/own")
    scratch.write("x", to: "shared/own/file")
    scratch.write("x", to: "shared/file")
    scratch.link("shared/link", to: "own/file")
    #expect(failure(scratch.file("shared/own/file")) == nil)
    #expect(failure(scratch.file("shared/file")) == .shared(path: scratch.file("shared/file")))
    #expect(failure(scratch.file("shared/link")) == .shared(path: scratch.file("shared/link")))
  }

  @Test func whatLiesOutsideOfEtcAndIsNotThereIsNothingWhoeverCouldHaveTakenItAway() throws {
    let scratch = ScratchDirectory()
    scratch.makeDirectory("open", mode: 0o777)
    #expect(try ConfigurationFile.read(scratch.file("open/none"), sizeLimit: 10) == nil)
    #expect(try ConfigurationFile.read("/etc/localauth-none/file", sizeLimit: 10) == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: gives files away"))
  func whatBelongsToAStrangerIsRefused() {
    let scratch = ScratchDirectory()
    scratch.makeDirectory("directory")
    scratch.write("x", to: "directory/file", mode: 0o644)
    scratch.link("link", to: "directory/file")
    for name in ["directory", "directory/file", "link"] {
      // SAFETY: the string is a C string for the calls.
      _ = unsafe lchown(scratch.file(name), 12_345, 0)
      let path = scratch.file(name == "link" ? "link" : "directory/file")
      #expect(failure(path) == .owner(path: scratch.file(name), user: 12_345, expected: 0))
      _ = unsafe lchown(scratch.file(name), 0, 0)
    }
    #expect(failure(scratch.file("link")) == nil)
  }

  @Test func aLinkIsFollowedOverDirectoriesThatAreOnesOwn() throws {
    let scratch = ScratchDirectory()
    scratch.makeDirectory("a")
    scratch.makeDirectory("a/b")
    scratch.write("x", to: "a/b/file")
    scratch.link("absolute", to: scratch.file("a/b/file"))
    scratch.link("relative", to: "a/./b//file")
    scratch.link("a/up", to: "../a/b")
    scratch.link("chain", to: "a/up/../../relative")
    for name in ["absolute", "relative", "a/up/file", "chain"] {
      #expect(try ConfigurationFile.read(scratch.file(name), sizeLimit: 10) == [120], "\(name)")
    }
    scratch.setMode(0o777, of: "a/b")
    for name in ["absolute", "relative", "a/up/file", "chain"] {
      guard case .writable(let path)? = failure(scratch.file(name)) else {
        Issue.record("\(name) is followed")
        continue
      }
      #expect(path.hasSuffix("/b"), "\(name)")
    }
  }

  @Test func aLinkToNothingIsAnError() {
    let scratch = ScratchDirectory()
    scratch.link("link", to: "none")
    scratch.link("far", to: "/nonexistent/file")
    scratch.link("long", to: "link")
    for name in ["link", "far", "long"] {
      #expect(failure(scratch.file(name)) == .leadsNowhere(path: scratch.file(name)))
    }
  }

  @Test func aLoopOfLinksIsAnError() {
    let scratch = ScratchDirectory()
    let path = scratch.file("loop")
    scratch.link("loop", to: path)
    #expect(failure(path) == .system(SystemError("openat", code: ELOOP, subject: path)))
  }

  @Test func errorsNameTheirPathInOneLine() {
    let errors: [ConfigurationFileError] = [
      .notRegular(path: "/a"), .notDirectory(path: "/a"), .writable(path: "/a"),
      .owner(path: "/a", user: 7, expected: 0), .owner(path: "/a", user: 7, expected: 8),
      .shared(path: "/a"), .leadsNowhere(path: "/a"), .tooMany(path: "/a", limit: 3),
      .system(SystemError("openat", code: EACCES, subject: "/a")),
    ]
    for error in errors {
      #expect(error.description.contains("/a"))
      #expect(!error.description.contains("\n"))
    }
  }
}
