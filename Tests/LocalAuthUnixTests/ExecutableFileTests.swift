import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct ExecutableFileTests {
  /// Where a system's own program really is.
  static func real(_ path: String) throws -> String {
    // SAFETY: realpath allocates the C string, which is copied and freed here.
    let resolved = try unsafe #require(unsafe realpath(path, nil))
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  private func failure(_ path: String) -> ExecutableFileError? {
    do throws(ExecutableFileError) {
      _ = try ExecutableFile(trusted: path)
      return nil
    } catch { return error }
  }

  @Test func aSystemsProgramIsTrusted() throws {
    let cat = try Self.real("/bin/cat")
    let sleep = try Self.real("/bin/sleep")
    #expect(try ExecutableFile(trusted: cat) == ExecutableFile(trusted: cat))
    #expect(try ExecutableFile(trusted: cat) != ExecutableFile(trusted: sleep))
  }

  @Test func whatIsNotThereIsNothing() throws {
    #expect(try ExecutableFile(trusted: "/nonexistent/program") == nil)
    #expect(try ExecutableFile(trusted: "/usr/bin/nonexistent-program") == nil)
    #expect(failure("/etc/passwd/program") == .wrongType(path: "/etc/passwd"))
  }

  @Test func aDirectoryOrADeviceIsNoProgram() {
    #expect(failure("/usr/bin") == .wrongType(path: "/usr/bin"))
    #expect(failure("/dev/null") == .wrongType(path: "/dev/null"))
  }

  /// The directory of every scratch file is one that everybody may write to.
  @Test func aDirectoryThatOthersCanWriteIsNotTrusted() {
    let scratch = ScratchDirectory()
    scratch.write("x", to: "program", mode: 0o755)
    #expect(failure(scratch.file("program")) == .writable(path: "/tmp"))
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: gives files away"))
  func onlyRootMayOwnOrWriteTheFileAndItsDirectories() throws {
    var template = Array("/run/localauth-test-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    try #require(unsafe mkdtemp(&template) != nil)
    let directory = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
    defer {
      // SAFETY: the strings are C strings for the calls.
      for name in ["program", "link"] { _ = unsafe unlink("\(directory)/\(name)") }
      _ = unsafe rmdir(directory)
    }
    let program = "\(directory)/program"
    let link = "\(directory)/link"
    // SAFETY: all strings are C strings for the calls.
    close(unsafe open(program, O_WRONLY | O_CREAT | O_CLOEXEC, 0o755))
    #expect(unsafe symlink(program, link) == 0)
    #expect(try ExecutableFile(trusted: program) != nil)
    #expect(failure(link) == .symbolicLink(path: link))

    for mode: mode_t in [0o775, 0o757, 0o722] {
      _ = unsafe chmod(program, mode)
      #expect(failure(program) == .writable(path: program))
    }
    _ = unsafe chmod(program, 0o755)
    _ = unsafe chown(program, 12_345, 0)
    #expect(failure(program) == .owner(path: program, user: 12_345))
    _ = unsafe chown(program, 0, 0)

    _ = unsafe chmod(directory, 0o1777)
    #expect(failure(program) == .writable(path: directory))
    _ = unsafe chmod(directory, 0o700)
    _ = unsafe chown(directory, 12_345, 0)
    #expect(failure(program) == .owner(path: directory, user: 12_345))
    _ = unsafe chown(directory, 0, 0)
    #expect(try ExecutableFile(trusted: program) != nil)
  }

  @Test func errorsSayWhatToDo() {
    let errors: [ExecutableFileError] = [
      .symbolicLink(path: "/a"), .wrongType(path: "/a"), .owner(path: "/a", user: 7),
      .writable(path: "/a"), .system(SystemError("lstat", code: EACCES, subject: "/a")),
    ]
    for error in errors { #expect(error.description.contains("/a")) }
  }
}
