import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct DirectoryListingTests {
  private let scratch = ScratchDirectory()

  private func read(filesMax: Int = 10) throws(ConfigurationFileError) -> DirectoryListing? {
    try DirectoryListing.read(scratch.path, filesMax: filesMax, sizeLimit: 10)
  }

  private func failure(filesMax: Int = 10) -> ConfigurationFileError? {
    do throws(ConfigurationFileError) {
      _ = try read(filesMax: filesMax)
      return nil
    } catch { return error }
  }

  /// What became of each name: the number of its bytes, or why there are none.
  private func results() throws -> [String: String] {
    var results: [String: String] = [:]
    for file in try read()?.files ?? [] {
      switch file.contents {
      case .success(let bytes): results[file.name] = "\(bytes.count)"
      case .failure(let error): results[file.name] = "\(error)"
      }
    }
    return results
  }

  @Test func filesComeInOrderAndHiddenOnesNot() throws {
    for name in ["b", "a", ".hidden", "c"] { scratch.write(name, to: name) }
    #expect(try read()?.files.map(\.name) == ["a", "b", "c"])
  }

  @Test func aDirectoryThatIsNotThereIsNothing() throws {
    let none = try DirectoryListing.read(scratch.file("none"), filesMax: 1, sizeLimit: 1)
    #expect(none == nil)
  }

  @Test func oneFileTooManyIsAnErrorAndNothingIsSkipped() throws {
    for name in ["a", "b", "c"] { scratch.write("x", to: name) }
    #expect(try read(filesMax: 3)?.files.count == 3)
    #expect(failure(filesMax: 2) == .tooMany(path: scratch.path, limit: 2))
  }

  @Test func whatCannotBeBelievedIsSaidOfItsName() throws {
    scratch.write("good", to: "good")
    scratch.write([UInt8](repeating: 7, count: 100), to: "large")
    scratch.write("bad", to: "open", mode: 0o666)
    scratch.makeDirectory("directory")
    scratch.link("dangling", to: "none")
    scratch.link("linked", to: "good")
    // SAFETY: the string is a C string for the call.
    _ = unsafe mkfifo(scratch.file("pipe"), 0o600)
    #expect(
      try results() == [
        "good": "4", "large": "11", "linked": "4",
        "open": "others can write to \(scratch.file("open")); run chmod go-w on it",
        "directory": "\(scratch.file("directory")) is not a regular file",
        "pipe": "\(scratch.file("pipe")) is not a regular file",
        "dangling": "\(scratch.file("dangling")) leads over a symbolic link to nothing; "
          + "remove the link, or make what it names",
      ]
    )
  }

  @Test func aSocketIsNoFileOfConfiguration() throws {
    let listener = try Listener(path: scratch.file("socket"))
    defer { listener.stop() }
    #expect(try results() == ["socket": "\(scratch.file("socket")) is not a regular file"])
  }

  @Test func aDirectoryInWhichOthersCouldPutFilesIsRefused() {
    for mode: mode_t in [0o770, 0o707, 0o1777] {
      scratch.setMode(mode)
      #expect(failure() == .writable(path: scratch.path))
    }
    scratch.setMode(0o700)
  }

  @Test func aFileInTheDirectorysPlaceIsRefused() {
    scratch.write("x", to: "file")
    let path = scratch.file("file")
    #expect(throws: ConfigurationFileError.notDirectory(path: path)) {
      try DirectoryListing.read(path, filesMax: 1, sizeLimit: 1)
    }
  }
}
