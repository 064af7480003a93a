import Glibc
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
    #expect(failure(scratch.path) == .notRegular)
    #expect(failure(scratch.file("pipe")) == .notRegular)
  }

  @Test func aFileThatOthersCanWriteIsRefused() {
    let scratch = ScratchDirectory()
    for mode: mode_t in [0o620, 0o602, 0o666] {
      scratch.write("x", to: "file", mode: mode)
      #expect(failure(scratch.file("file")) == .writable)
    }
    scratch.write("x", to: "file", mode: 0o644)
    #expect(failure(scratch.file("file")) == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: gives files away")) func aStrangersFileIsRefused()
  {
    let scratch = ScratchDirectory()
    scratch.write("x", to: "file", mode: 0o644)
    // SAFETY: the string is a C string for the call.
    _ = unsafe chown(scratch.file("file"), 12_345, 0)
    #expect(failure(scratch.file("file")) == .owner(12_345))
  }

  @Test func aLoopOfLinksIsAnError() {
    let scratch = ScratchDirectory()
    let path = scratch.file("loop")
    // SAFETY: the strings are C strings for the call.
    _ = unsafe symlink(path, path)
    #expect(failure(path) == .system(SystemError("open", code: ELOOP, subject: path)))
  }
}
